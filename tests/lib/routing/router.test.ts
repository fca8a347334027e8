import { servedByInstallation, type OwnProvider } from '../../../lib/routing/provider-directory';
import { describe, expect, it } from 'vitest';
import type { VideoNeeds } from '../../../lib/catalog/binding-fit';
import { isGatewayError, type GatewayError } from '../../../lib/domain/errors';
import { newId } from '../../../lib/domain/ids';
import type { MessagesBinding, MessagesProvider } from '../../../lib/domain/messages';
import type { MessagesModel, TtsModel, VideoModel } from '../../../lib/domain/model';
import type { PolicyRefusal } from '../../../lib/domain/policy';
import type { Provider } from '../../../lib/domain/provider';
import type { TtsBinding, TtsProvider } from '../../../lib/domain/speech';
import type { Mode, VideoProvider, VideoBinding } from '../../../lib/domain/video';
import { createProviderHealth } from '../../../lib/routing/provider-health';
import { createRouters } from '../../../lib/routing/router';
import { createTestClock } from '../../support/clock';

// Safe: the router only passes these on.
const video = {} as VideoProvider;
const tts = {} as TtsProvider;
const messages = {} as MessagesProvider;
const native: MessagesProvider = { ...messages, native: true };
const model = { id: 'acme-t2v', video: { kind: 't2v' } } as VideoModel;
const bind = (providerId: string, extra: Partial<VideoBinding> = {}) =>
  ({ providerId, modelName: `acme-at-${providerId}`, stability: 'stable', parameters: [], ...extra }) as VideoBinding;

const needs = ({
  resolution = '720p',
  ...others
}: Partial<VideoNeeds> & { readonly resolution?: string } = {}): VideoNeeds => ({
  order: { prompt: 'a cat', seconds: 5, resolution, media: [], parameters: {} },
  choices: [],
  audioChoices: [],
  hasSize: false,
  mediaReach: { publishes: true, reaches: () => true },
  costAt: () => 1n,
  awaitsConfirmation: () => false,
  ...others,
});

function make(
  offered: readonly string[],
  { enabled = [] as readonly string[], unconfirmed = [] as readonly string[] } = {},
) {
  const providers = new Map<string, Provider>([
    ...offered.map((id): [string, Provider] => [id, { id, video, tts, messages: id === 'a' ? native : messages }]),
    ['silent', { id: 'silent' }],
  ]);
  const health = createProviderHealth({ clock: createTestClock() });
  const routers = createRouters({
    providers,
    testProvider: { id: 'stage', video, tts, messages },
    catalog: () => ({
      available: (_model, binding) => binding !== undefined && offered.includes(binding.providerId),
      isOrderable: () => true,
      awaitsConfirmation: (_model, { providerId }) => unconfirmed.includes(providerId),
      isSwitchedOff: (binding) => 'extra' in binding && !enabled.includes(binding.providerId),
    }),
    health,
  });
  const router = routers.video;
  const match = (bindings: readonly VideoBinding[], mode: Mode = 'live', asked: Parameters<typeof needs>[0] = {}) =>
    router.match(model, bindings, servedByInstallation(mode), needs(asked));
  const fit = (...asked: Parameters<typeof match>) => match(...asked).fit.map(({ binding }) => binding.providerId);
  return {
    routers,
    router,
    match,
    fit,
    fail(key: string) {
      for (let n = 0; n < 5; n += 1) health.failed(key);
    },
    health,
  };
}

function refusal(run: () => unknown): GatewayError {
  try {
    run();
  } catch (error) {
    if (isGatewayError(error)) return error;
  }
  throw new Error('It was expected to be refused.');
}

const notSetUp =
  'acme-t2v is listed, but none of its providers is set up in this installation. Ask the operator, or use a test key to try it in the sandbox.';

describe('a match', () => {
  const all = ['a', 'b', 'c'].map((id) => bind(id));

  it('of a live request has the configured providers, in the order of the catalog, and a reason for each other', () => {
    const { match, fit } = make(['c', 'a']);
    expect(fit(all)).toEqual(['a', 'c']);
    expect(match(all).unfit).toEqual([{ binding: all[1], reason: 'not_set_up' }]);
  });

  it('has a provider with an open circuit last', () => {
    const { fail, fit } = make(['a', 'b', 'c']);
    fail('a acme-at-a');
    expect(fit(all)).toEqual(['b', 'c', 'a']);
  });

  it('does not change for failures of another model of the provider', () => {
    const { fail, fit } = make(['a', 'b', 'c']);
    fail('a another-model');
    expect(fit(all)).toEqual(['a', 'b', 'c']);
  });

  it('has only those that serve the size and take the most parameters', () => {
    const { fit, match } = make(['a', 'b', 'c']);
    const bindings = [bind('a', { resolutions: ['720p'] }), bind('b'), bind('c', { parameters: ['seed'] })];
    const reasons = (asked: Parameters<typeof needs>[0]) =>
      match(bindings, 'live', asked).unfit.map(({ binding, reason }) => [binding.providerId, reason]);
    expect(fit(bindings)).toEqual(['a', 'b', 'c']);
    expect(fit(bindings, 'live', { resolution: '1080p' })).toEqual(['b', 'c']);
    expect(reasons({ resolution: '1080p' })).toEqual([
      ['a', { code: 'unsupported_value', param: 'size', text: 'size must be 720p', resolutions: ['720p'] }],
    ]);
    expect(fit(bindings, 'live', { choices: ['seed'] })).toEqual(['c']);
    expect(reasons({ choices: ['seed'] })).toEqual([
      ['a', 'takes_fewer_parameters'],
      ['b', 'takes_fewer_parameters'],
    ]);
    expect(fit(bindings, 'test', { choices: ['seed'] })).toEqual(['c']);
  });

  it('has others if no provider that takes the parameters is configured', () => {
    const bindings = [bind('a'), bind('b'), bind('c', { parameters: ['seed'] })];
    expect(make(['a', 'b']).fit(bindings, 'live', { choices: ['seed'] })).toEqual(['a', 'b']);
  });

  it('has the stable ones first, and then the cheapest, while they are healthy', () => {
    const { fit, health } = make(['a', 'b', 'c', 'd']);
    const bindings = [...all, bind('d', { stability: 'beta' })];
    const costs: Readonly<Record<string, bigint>> = { a: 3n, b: 2n, c: 1n, d: 0n };
    const costAt = ({ providerId }: VideoBinding) => costs[providerId] ?? 0n;
    expect(fit(bindings, 'live', { costAt })).toEqual(['c', 'b', 'a', 'd']);
    expect(fit(bindings, 'test', { costAt })).toEqual(['a']);
    health.coolDown('c acme-at-c', 1_000);
    expect(fit(bindings, 'live', { costAt })).toEqual(['b', 'a', 'd', 'c']);
  });

  it('tells the bindings of one provider apart', () => {
    const { fail, match } = make(['a', 'b']);
    const bindings = [
      bind('a', { modelName: 'standard', resolutions: ['720p'] }),
      bind('a', { modelName: 'pro', resolutions: ['1080p'] }),
      bind('b'),
    ];
    const models = (resolution: string) =>
      match(bindings, 'live', { resolution }).fit.map(({ binding }) => binding.modelName);
    expect([models('720p'), models('1080p')]).toEqual([
      ['standard', 'acme-at-b'],
      ['pro', 'acme-at-b'],
    ]);
    fail('a standard');
    expect([models('720p'), models('1080p')]).toEqual([
      ['acme-at-b', 'standard'],
      ['pro', 'acme-at-b'],
    ]);
  });

  it('of a test request has the first binding, whose price applies, and the test provider, whatever is configured or fails', () => {
    const { fail, fit, match } = make([]);
    fail('a acme-at-a');
    fail('stage');
    expect(fit(all, 'test')).toEqual(['a']);
    expect(match(all, 'test').fit[0]).toMatchObject({ providerId: 'stage', provider: video, binding: all[0] });
  });
});

describe('a request without a route', () => {
  const refused = (offered: readonly string[], bindings: readonly VideoBinding[], mode: Mode, resolution: string) =>
    refusal(() => make(offered).router.routes(model, bindings, servedByInstallation(mode), needs({ resolution })));

  it('is refused without a retry when none of the providers is configured, and the message suggests test mode', () => {
    expect(refused([], [bind('a'), bind('b')], 'live', '720p')).toMatchObject({
      code: 'no_provider_available',
      message: notSetUp,
      extra: { param: 'model', retry: false },
    });
  });

  it('is refused with the reason of each provider that is set up, in test mode too', () => {
    for (const mode of ['live', 'test'] as const) {
      const { code, message, extra } = refused(['a'], [bind('a', { resolutions: ['720p'] })], mode, '4k');
      expect([code, message, extra.param]).toEqual([
        'unsupported_value',
        'No provider of acme-t2v can serve this request. a: size must be 720p.',
        'size',
      ]);
    }
  });

  it('names the providers that are not set up, which might serve it', () => {
    const bindings = [bind('a', { resolutions: ['720p'] }), bind('b')];
    const { code, extra } = refused(['a'], bindings, 'live', '4k');
    expect([code, extra.details]).toEqual([
      'unsupported_value',
      {
        providers: [
          { provider: 'a', reason: 'size must be 720p' },
          { provider: 'b', reason: 'not set up in this installation' },
        ],
      },
    ]);
    expect(refused([], bindings, 'live', '4k').message).toBe(notSetUp);
  });

  it('names the price that the operator has not confirmed, in live mode alone', () => {
    const { match, router, fit } = make(['b'], { unconfirmed: ['a'] });
    const [unconfirmed, sold] = [bind('a'), bind('b', { resolutions: ['720p'] })];
    expect(match([unconfirmed]).unfit).toEqual([{ binding: unconfirmed, reason: 'not_confirmed' }]);
    const refuse = (bindings: readonly VideoBinding[], resolution = '720p') =>
      refusal(() => router.routes(model, bindings, servedByInstallation('live'), needs({ resolution })));
    const { code, message } = refuse([unconfirmed, bind('silent')]);
    expect([code, message]).toEqual([
      'no_provider_available',
      'acme-t2v is listed, but the operator has not confirmed its price in CONFIRMED_PRICES. Ask the operator, or use a test key to try it in the sandbox.',
    ]);
    expect(refuse([unconfirmed, sold], '1080p').message).toBe(
      'No provider of acme-t2v can serve this request. a: its price is not confirmed in this installation. b: size must be 720p.',
    );
    expect(fit([unconfirmed], 'test')).toEqual(['a']);
  });

  it('names what the operator can enable when all its speech providers are optional, in test mode too', () => {
    const speech = { id: 'speaks' } as TtsModel;
    const optional = [{ providerId: 'a', modelName: 'speaks-1', extra: true } as unknown as TtsBinding];
    for (const mode of ['live', 'test'] as const) {
      const { code, message } = refusal(() =>
        make(['a']).routers.tts.routes(speech, optional, servedByInstallation(mode)),
      );
      expect([code, message]).toEqual([
        'model_not_supported',
        'speaks is not enabled here: its text-to-speech provider is optional. Choose another model, or ask the operator to add the provider to EXTRA_SPEECH_PROVIDERS.',
      ]);
    }
    const enabled = make(['a'], { enabled: ['a'] }).routers.tts.routes(speech, optional, servedByInstallation('live'));
    expect(enabled.map(({ providerId }) => providerId)).toEqual(['a']);
  });
});

describe('a conversation with thinking', () => {
  const text = { id: 'acme-text' } as MessagesModel;
  const bindings = ['b', 'a', 'c'].map(
    (providerId) => ({ providerId, modelName: 'text-1' }) as unknown as MessagesBinding,
  );
  const order = ({ routers }: ReturnType<typeof make>, signature: string) =>
    routers.messages
      .routes(text, bindings, servedByInstallation('live'), {
        messages: [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'T', signature }] }],
      })
      .map(({ providerId }) => providerId)
      .join('');

  it('goes first to the provider that signed it, while that is healthy', () => {
    const made = make(['a', 'b', 'c']);
    expect(order(made, 'gw1.c.c2ln')).toBe('cba');
    expect(order(made, 'EqQBCgIYAhIM')).toBe('abc');
    expect(order(made, '')).toBe('bac');
    made.health.coolDown('c text-1', 1_000);
    expect(order(made, 'gw1.c.c2ln')).toBe('bac');
  });
});

describe('the route of a binding', () => {
  it('in live mode leads to its provider, and nowhere when that is not configured or makes no videos', () => {
    const { router } = make(['a']);
    expect(router.routeOf(model, bind('a'), 'live')).toEqual({
      binding: bind('a'),
      providerId: 'a',
      provider: video,
      healthKey: 'a acme-at-a',
    });
    expect(router.routeOf(model, bind('gone'), 'live')).toBeUndefined();
    expect(router.routeOf(model, bind('silent'), 'live')).toBeUndefined();
  });

  it('in test mode always leads to the test provider', () => {
    const { router } = make(['a']);
    expect(['a', 'gone'].map((id) => router.routeOf(model, bind(id), 'test')?.providerId)).toEqual(['stage', 'stage']);
    expect(['stage', 'a'].map((id) => router.isTestProvider(id))).toEqual([true, false]);
  });
});

describe('prices that a policy does not allow', () => {
  const refusal: PolicyRefusal = { rule: 'price', level: 'project', sentence: 'Too expensive.' };
  const refuses =
    (...ids: readonly string[]) =>
    ({ providerId }: VideoBinding) =>
      ids.includes(providerId) ? refusal : undefined;

  it('leave the others, in their order', () => {
    const { router } = make(['a', 'b', 'c']);
    const by = servedByInstallation('live');
    const match = router.match(model, [bind('a'), bind('b'), bind('c')], by, needs(), refuses('a'));
    expect(match.fit.map(({ binding }) => binding.providerId)).toEqual(['b', 'c']);
    expect(match.unfit).toEqual([{ binding: bind('a'), reason: { refusal } }]);
  });

  it('let the next one set the price in test mode', () => {
    const { router } = make(['a', 'b']);
    const { fit } = router.match(model, [bind('a'), bind('b')], servedByInstallation('test'), needs(), refuses('a'));
    expect(fit.map(({ binding }) => binding.providerId)).toEqual(['b']);
  });

  it('are the reason when none is left, before what else a provider does not support', () => {
    const { router } = make(['a', 'b']);
    const bindings = [bind('a', { resolutions: ['480p'] }), bind('b')];
    expect(() => router.routes(model, bindings, servedByInstallation('live'), needs(), refuses('b'))).toThrow(
      expect.objectContaining({
        code: 'price_not_allowed',
        message: 'Too expensive.',
        extra: { param: 'model', details: { level: 'project', rule: 'price' } },
      }),
    );
  });
});

describe("an organisation's own account that can order less of a binding", () => {
  const own: OwnProvider = {
    credentialId: newId('credential'),
    provider: { id: 'a', video },
    narrow: (binding) => ({ ...binding, parameters: binding.parameters.filter((name) => name !== 'negative_prompt') }),
  };
  const whole = bind('a', {
    parameters: ['seed', 'negative_prompt'],
    price: { per: 'output_second', rates: [{ usd: 1n }], source: 'test', verified: true },
  });
  const asked = needs({ choices: ['negative_prompt'] });

  it('is offered that much of it, when the request is routed and when it is sent', () => {
    const { router } = make([]);
    const { fit } = router.match(model, [whole], { mode: 'live', own: new Map([['a', own]]) }, asked);
    expect(fit.map(({ binding }) => binding.parameters)).toEqual([['seed']]);
    expect(router.routeOf(model, whole, 'live', own)?.binding.parameters).toEqual(['seed']);
  });

  it('comes after another one that takes more of the parameters', () => {
    const { router } = make([]);
    const other: OwnProvider = { credentialId: newId('credential'), provider: { id: 'b', video } };
    const accounts = new Map([
      ['a', own],
      ['b', other],
    ]);
    const { fit, unfit } = router.match(
      model,
      [whole, { ...whole, providerId: 'b' }],
      { mode: 'live', own: accounts },
      asked,
    );
    expect(fit.map(({ providerId }) => providerId)).toEqual(['b']);
    expect(unfit.map(({ binding, reason }) => [binding.providerId, reason])).toEqual([['a', 'takes_fewer_parameters']]);
  });
});
