import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRange } from '../../../lib/domain/address-range';
import {
  chooseProviders,
  decide,
  policyLevels,
  type PolicyLevel,
  type PolicyLevelName,
  type PolicyRules,
  type RequestFacts,
} from '../../../lib/domain/policy';

const at = (level: PolicyLevelName, rules: PolicyRules): PolicyLevel => ({
  level,
  rules,
  ...(level === 'project' && { name: 'Search' }),
});
const decided = (levels: readonly PolicyLevel[], facts: RequestFacts) => {
  const refusal = decide(levels, facts);
  return refusal && `${refusal.level} ${refusal.rule}`;
};
const facts: RequestFacts = {
  endpoint: '/v1/videos',
  address: '203.0.113.7',
  model: 'a',
  provider: 'x',
  region: 'eu',
  price: { per: 'request', amount: 100n },
};

describe('decide', () => {
  it('allows everything without a level, and with levels that allow it', () => {
    expect(decided([], facts)).toBeUndefined();
    const allowing: PolicyRules = {
      allowedEndpoints: ['/v1/videos'],
      allowedAddresses: [parseRange('203.0.113.0/24')],
      allowedModels: ['a'],
      allowedProviders: ['x'],
      allowedRegions: ['eu'],
      maxRequestNanoUsd: 100n,
      maxMinuteNanoUsd: 0n,
    };
    expect(
      decided(
        policyLevels.map((level) => at(level, allowing)),
        facts,
      ),
    ).toBeUndefined();
  });

  it.each<[string, PolicyRules]>([
    ['address', { allowedAddresses: [parseRange('198.51.100.0/24')] }],
    ['endpoint', { allowedEndpoints: ['/v1/video'] }],
    ['model', { allowedModels: ['b'] }],
    ['provider', { allowedProviders: [] }],
    ['region', { allowedRegions: ['us', 'eu-west'] }],
    ['price', { maxRequestNanoUsd: 99n }],
  ])('refuses by the rule %s at each level, and compares no fact that is not known', (rule, rules) => {
    for (const level of policyLevels) {
      expect(decided([at(level, rules)], facts)).toBe(`${level} ${rule}`);
      expect(decided([at(level, rules)], {})).toBeUndefined();
    }
  });

  it('does not allow a provider whose region is not known where regions are restricted', () => {
    const level = at('organization', { allowedRegions: ['eu'] });
    expect(decide([level], { provider: 'x' })?.sentence).toBe(
      'Your organisation may not use the provider x, whose data region is not stated. Ask an owner or admin to change its allowed data regions in the console under Policies.',
    );
    expect(decide([level], { provider: 'x', region: 'us' })?.sentence).toContain('whose data region is us.');
    expect(decide([level], { region: 'us' })).toBeUndefined();
  });

  it('keeps prices of a request and of a minute apart', () => {
    const level = at('key', { maxRequestNanoUsd: 1n });
    expect(decided([level], { price: { per: 'minute', amount: 100n } })).toBeUndefined();
    expect(decided([level], { price: { per: 'request', amount: 1n } })).toBeUndefined();
    expect(decided([at('key', { maxMinuteNanoUsd: 99n })], { price: { per: 'minute', amount: 100n } })).toBe(
      'key price',
    );
  });

  it('names the rule first that a request meets first, and of several levels the widest', () => {
    const levels = [
      at('organization', { allowedModels: ['b'] }),
      at('project', { allowedModels: [], allowedEndpoints: [] }),
      at('key', { allowedEndpoints: [] }),
    ];
    expect(decided(levels, facts)).toBe('project endpoint');
    expect(decided(levels, { model: 'a' })).toBe('organization model');
  });

  it('says who refuses what, and where to change it', () => {
    const sentences = policyLevels.map((level) => decide([at(level, { allowedModels: [] })], facts)?.sentence);
    expect(sentences).toEqual([
      'Your organisation may not use the model a. Ask an owner or admin to change its allowed models in the console under Policies.',
      "The project “Search” may not use the model a. Use a key of another project, or ask an owner or admin to change the project's allowed models in the console under Projects.",
      'This key may not use the model a. Use another key, or change its allowed models in the console under API keys.',
    ]);
    expect(
      decide([at('key', { maxRequestNanoUsd: 0n })], { price: { per: 'request', amount: 500_000_000n } })?.sentence,
    ).toBe(
      'This key may not pay $0.5 for one request, which is above its price ceiling. Use another key, or change its price ceiling in the console under API keys.',
    );
  });

  it('never allows more with one more level', () => {
    const list = fc.option(fc.subarray(['a', 'b', 'c']), { nil: undefined });
    const rules = fc
      .record({ models: list, providers: list, max: fc.option(fc.bigInt(0n, 3n), { nil: undefined }) })
      .map(({ models, providers, max }): PolicyRules => ({
        ...(models && { allowedModels: models }),
        ...(providers && { allowedProviders: providers }),
        ...(max !== undefined && { maxRequestNanoUsd: max }),
      }));
    const request = fc.record({
      model: fc.constantFrom('a', 'b', 'c'),
      provider: fc.constantFrom('a', 'b', 'c'),
      amount: fc.bigInt(0n, 4n),
    });
    fc.assert(
      fc.property(rules, rules, rules, request, (one, two, three, { amount, ...rest }) => {
        const all = [at('organization', one), at('project', two), at('key', three)];
        const asked: RequestFacts = { ...rest, price: { per: 'request', amount } };
        const alone = all.map((level) => decide([level], asked) === undefined);
        expect(decide(all, asked) === undefined).toBe(alone.every(Boolean));
      }),
    );
  });
});

describe('chooseProviders', () => {
  const bindings = ['x', 'y', 'z'].map((providerId) => ({ providerId }));

  it('leaves what all levels allow, in the same order, with the level that excludes each of the others', () => {
    const { allowed, refused, refusal } = chooseProviders(
      [at('organization', { allowedProviders: ['z', 'y'] }), at('key', { allowedProviders: ['z', 'x'] })],
      bindings,
    );
    expect(allowed).toEqual([{ providerId: 'z' }]);
    expect(refused.map(({ binding, refusal: by }) => `${binding.providerId} ${by.level}`)).toEqual([
      'x organization',
      'y key',
    ]);
    expect(refusal).toBeUndefined();
  });

  it('names the level that excludes the last of them', () => {
    const levels = [at('organization', { allowedProviders: ['x', 'y'] }), at('project', { allowedProviders: ['z'] })];
    expect(chooseProviders(levels, bindings).refusal).toMatchObject({ level: 'project', rule: 'provider' });
    expect(chooseProviders(levels, []).refusal).toBeUndefined();
  });
});
