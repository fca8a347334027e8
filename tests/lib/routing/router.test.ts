import { describe, expect, it } from 'vitest';
import type { VideoNeeds } from '../../../lib/catalog/binding-facts';
import { GatewayError } from '../../../lib/domain/errors';
import type { VideoModel } from '../../../lib/domain/model';
import type { Provider } from '../../../lib/domain/provider';
import type { Mode, VideoProvider, VideoBinding } from '../../../lib/domain/video';
import { createProviderHealth } from '../../../lib/routing/provider-health';
import { createRouter } from '../../../lib/routing/router';
import { createTestClock } from '../../support/clock';

// Safe: the router only hands these on.
const video = {} as VideoProvider;
const model = { id: 'acme-t2v' } as VideoModel;
const bind = (providerId: string, extra: Partial<VideoBinding> = {}) =>
  ({ providerId, modelName: `acme-at-${providerId}`, parameters: [], ...extra }) as unknown as VideoBinding;

function make(offered: readonly string[]) {
  const providers = new Map<string, Provider>([
    ...offered.map((id): [string, Provider] => [id, { id, video }]),
    ['silent', { id: 'silent' }],
  ]);
  const health = createProviderHealth(createTestClock());
  const router = createRouter({
    providers,
    testProvider: { id: 'stage', video },
    isAvailable: (_model, { providerId }) => offered.includes(providerId),
    health,
  });
  const candidates = (bindings: readonly VideoBinding[], mode: Mode = 'live', needs: Partial<VideoNeeds> = {}) =>
    router
      .candidates(model, bindings, mode, { resolution: '720p', choices: [], ...needs })
      .map(({ providerId }) => providerId);
  return { router, health, candidates };
}

function refusal(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('It was expected to be refused.');
}

describe('candidates', () => {
  const all = ['a', 'b', 'c'].map((id) => bind(id));

  it('of a live order are the providers that are offered here, in the order of the catalog', () => {
    expect(make(['c', 'a']).candidates(all)).toEqual(['a', 'c']);
  });

  it('put an ailing provider last', () => {
    const { health, candidates } = make(['a', 'b', 'c']);
    for (let n = 0; n < 5; n += 1) health.failed('a');
    expect(candidates(all)).toEqual(['b', 'c', 'a']);
  });

  it('are only those that serve the size and take the parameters', () => {
    const { candidates } = make(['a', 'b', 'c']);
    const bindings = [bind('a', { resolutions: ['720p'] }), bind('b'), bind('c', { parameters: ['seed'] })];
    expect(candidates(bindings)).toEqual(['a', 'b', 'c']);
    expect(candidates(bindings, 'live', { resolution: '1080p' })).toEqual(['b', 'c']);
    expect(candidates(bindings, 'live', { choices: ['seed'] })).toEqual(['c']);
    expect(candidates(bindings, 'test', { choices: ['seed'] })).toEqual(['c']);
  });

  it('are others where nobody who takes the parameters is offered', () => {
    const bindings = [bind('a'), bind('b'), bind('c', { parameters: ['seed'] })];
    expect(make(['a', 'b']).candidates(bindings, 'live', { choices: ['seed'] })).toEqual(['a', 'b']);
  });

  it('of a test order are the first binding, whose price holds, whoever is offered or ails', () => {
    const { health, candidates } = make([]);
    for (let n = 0; n < 5; n += 1) health.failed('a');
    expect(candidates(all, 'test')).toEqual(['a']);
  });

  it('are refused without a retry when none of the providers is set up, with the way to try it', () => {
    expect(refusal(() => make([]).candidates(all))).toMatchObject({
      code: 'no_provider_available',
      message:
        'acme-t2v is listed, but none of its providers is set up in this installation. Ask the operator, or use a test key to try it in the sandbox.',
      extra: { param: 'model', retry: false },
    });
  });

  it('are refused with another sentence when nobody serves such an order, in test mode too', () => {
    const { candidates } = make(['a']);
    for (const mode of ['live', 'test'] as const) {
      const refused = refusal(() => candidates([bind('a', { resolutions: ['720p'] })], mode, { resolution: '4k' }));
      expect([refused.code, refused.message]).toEqual([
        'no_provider_available',
        'No provider of acme-t2v serves 4k. Choose another size, or name another provider.',
      ]);
    }
  });
});

describe('route', () => {
  it('of a live binding leads to its provider, and nowhere when that is not offered or makes no videos', () => {
    const { router } = make(['a']);
    expect(router.route(bind('a'), 'live')).toEqual({ binding: bind('a'), provider: { id: 'a', video } });
    expect(router.route(bind('gone'), 'live')).toBeUndefined();
    expect(router.route(bind('silent'), 'live')).toBeUndefined();
  });

  it('of a test binding always leads to the test provider', () => {
    const { router } = make(['a']);
    expect(['a', 'gone'].map((id) => router.route(bind(id), 'test')?.provider.id)).toEqual(['stage', 'stage']);
    expect(['stage', 'a'].map((id) => router.isTestProvider(id))).toEqual([true, false]);
  });
});
