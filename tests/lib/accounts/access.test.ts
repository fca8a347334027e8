import { describe, expect, it } from 'vitest';
import { allowedBindings, checkEndpointAccess, checkModelAccess, checkScope } from '../../../lib/accounts/access';
import type { KeyPolicy } from '../../../lib/domain/caller';
import type { Binding } from '../../../lib/domain/model';
import { ofKey } from '../../support/policy-levels';

const open: KeyPolicy = { scopes: ['inference'] };
const binding = (providerId: string): Binding => ({
  providerId,
  modelName: 'm',
  stability: 'stable',
  price: { per: 'clip', rates: [], source: 'a test', verified: true },
  parameters: [],
});

describe('checkScope', () => {
  it('requires exactly this scope', () => {
    expect(() => checkScope(open, 'inference')).not.toThrow();
    expect(() => checkScope(open, 'manage')).toThrow(expect.objectContaining({ code: 'scope_required' }));
    expect(() => checkScope({ scopes: ['manage'] }, 'inference')).toThrow(
      expect.objectContaining({ code: 'scope_required' }),
    );
  });
});

describe('a refusal', () => {
  it('names the page of the console that changes keys', () => {
    const refused = [
      () => checkScope({ scopes: ['manage'] }, 'inference'),
      () => checkEndpointAccess({ ...open, ...ofKey({ allowedEndpoints: ['/v1/models'] }) }, '/v1/videos'),
      () => checkModelAccess({ ...open, ...ofKey({ allowedModels: ['a'] }) }, 'b'),
      () => allowedBindings({ ...open, ...ofKey({ allowedProviders: ['other'] }) }, [binding('acme')]),
    ];
    for (const run of refused) expect(run).toThrow(/under API keys\./);
  });
});

describe('checkEndpointAccess', () => {
  const videosOnly: KeyPolicy = { ...open, ...ofKey({ allowedEndpoints: ['/v1/videos'] }) };
  it.each(['/v1/videos', '/v1/videos/video_1/content'])('lets %s pass below an allowed prefix', (path) => {
    expect(() => checkEndpointAccess(videosOnly, path)).not.toThrow();
  });
  it.each(['/v1/video', '/v1/videos2', '/v1/models', '/v1'])('refuses %s', (path) => {
    expect(() => checkEndpointAccess(videosOnly, path)).toThrow(
      expect.objectContaining({ code: 'endpoint_not_allowed' }),
    );
  });
  it('allows everything without a list', () => {
    expect(() => checkEndpointAccess(open, '/v1/anything')).not.toThrow();
  });
});

describe('checkModelAccess', () => {
  it('compares whole ids and names the model in its sentence', () => {
    const policy: KeyPolicy = { ...open, ...ofKey({ allowedModels: ['sandbox-t2v'] }) };
    expect(() => checkModelAccess(policy, 'sandbox-t2v')).not.toThrow();
    expect(() => checkModelAccess(open, 'anything')).not.toThrow();
    expect(() => checkModelAccess(policy, 'sandbox-t2')).toThrow(
      expect.objectContaining({ code: 'model_not_allowed', message: expect.stringContaining('sandbox-t2') }),
    );
  });
});

describe('allowedBindings', () => {
  const bindings = [binding('acme'), binding('sandbox'), binding('umbrella')];
  it('keeps the order and leaves out other providers', () => {
    const left = allowedBindings({ ...open, ...ofKey({ allowedProviders: ['umbrella', 'acme'] }) }, bindings);
    expect(left.map(({ providerId }) => providerId)).toEqual(['acme', 'umbrella']);
    expect(allowedBindings(open, bindings)).toEqual(bindings);
  });
  it('refuses when none is left', () => {
    expect(() => allowedBindings({ ...open, ...ofKey({ allowedProviders: ['other'] }) }, bindings)).toThrow(
      expect.objectContaining({ code: 'provider_not_allowed' }),
    );
  });
  it('says nothing about a model that no provider serves', () => {
    expect(allowedBindings({ ...open, ...ofKey({ allowedProviders: ['other'] }) }, [])).toEqual([]);
  });
});
