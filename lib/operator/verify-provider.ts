import type { CurrentCatalog } from '../catalog/catalog';
import type { VerificationJson } from '../contract/providers';
import type { Call } from '../domain/call';
import type { Clock } from '../domain/clock';
import { errorForLog, isGatewayError } from '../domain/errors';
import { newId, type ProviderId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { MessagesBinding, MessagesBody } from '../domain/messages';
import type { BindingOf, Capability } from '../domain/model';
import type { Provider, ProviderDefinition } from '../domain/provider';
import { startDeadline } from '../net/deadline';

/**
 * Sends a provider the cheapest request that needs its credentials, for each of its capabilities. Never rejects because
 * of the provider.
 */
export type VerifyProvider = (provider: Provider) => Promise<readonly VerificationJson[]>;

/** Longer than a provider takes to answer a short message. */
const VERIFY_TIMEOUT_MS = 20_000;
/** The age of the invented job that is checked: old, because a provider may not know a new job yet. */
const JOB_AGE_MS = 3_600_000;
/** The stated number of failed checks: so many that the provider reports an unknown job as unknown for good. */
const JOB_FAILURES = 10;

export function createVerifyProvider({
  definitions,
  catalog,
  clock,
  log,
}: {
  readonly definitions: readonly ProviderDefinition[];
  readonly catalog: CurrentCatalog;
  readonly clock: Clock;
  readonly log: Log;
}): VerifyProvider {
  async function verifyOne(provider: Provider, capability: Capability): Promise<VerificationJson> {
    const deadline = startDeadline(clock, VERIFY_TIMEOUT_MS);
    const result = (outcome: VerificationJson['outcome'], message: string): VerificationJson => ({
      provider: provider.id,
      capability,
      outcome,
      message,
    });
    try {
      const isAsked = await ask(provider, capability, { signal: deadline.signal, log });
      return isAsked
        ? result('accepted', 'The provider accepted the credentials.')
        : result('unknown', 'The provider needs no credentials, or has no model here to verify them with.');
    } catch (error) {
      if (isGatewayError(error) && error.code === 'upstream_auth_failed')
        return result('refused', 'The provider refused the credentials.');
      log.info('the credentials of a provider could not be verified', {
        provider: provider.id,
        error: errorForLog(error),
      });
      return result('unknown', deadline.passed() ? 'There was no answer in time.' : reasonOf(error));
    } finally {
      deadline.end();
    }
  }

  /** Resolves with true if the provider accepted the credentials, with false if there was no request to send. */
  async function ask(provider: Provider, capability: Capability, call: Call): Promise<boolean> {
    const { video, messages, stt, tts } = provider;
    if (capability === 'video') {
      if (video?.unknownJob === undefined) return false;
      await video.check(
        {
          videoId: newId('video'),
          receipt: video.unknownJob,
          startedAt: new Date(clock.nowMs() - JOB_AGE_MS),
          failures: JOB_FAILURES,
        },
        call,
      );
      return true;
    }
    if (capability === 'messages') {
      const binding = cheapest(bindingsOf('messages', provider.id));
      if (!messages || !binding) return false;
      await firstOf(messages.stream(shortMessage(binding), binding, call));
      return true;
    }
    if (capability === 'stt') {
      const [binding] = bindingsOf('stt', provider.id);
      if (!stt || !binding) return false;
      const format = { encoding: 'pcm_s16le', sampleRateHz: 16_000 } as const;
      // The first event shows that the provider is ready for audio; no audio is sent.
      await firstOf(stt.transcribe(silence(call.signal), { binding, format, language: 'en' }, call));
      return true;
    }
    const [binding] = bindingsOf('tts', provider.id);
    const voice = voiceOf(provider.id);
    if (!tts || !binding || voice === undefined) return false;
    const connection = tts.open(call);
    try {
      const format = { encoding: 'pcm_s16le', sampleRateHz: 24_000 } as const;
      const request = { contextId: crypto.randomUUID(), binding, input: 'Hi', voice, format, language: 'en' };
      await firstOf(connection.speak(request, call.signal));
    } finally {
      connection.close();
    }
    return true;
  }

  /** Returns the provider's bindings; those that serve live requests come first. */
  function bindingsOf<C extends Capability>(capability: C, provider: ProviderId): readonly BindingOf<C>[] {
    const current = catalog();
    const found = current
      .list()
      .flatMap((model) =>
        model.capability === capability
          ? model.bindings
              .filter(({ providerId }) => providerId === provider)
              .map((binding) => ({ binding, isServed: current.available(model, binding) }))
          : [],
      );
    const sorted = [...found.filter(({ isServed }) => isServed), ...found.filter(({ isServed }) => !isServed)];
    // Safe: the bindings of models of a capability are bindings of this capability.
    return sorted.map(({ binding }) => binding as BindingOf<C>);
  }

  function voiceOf(provider: ProviderId): string | undefined {
    for (const model of catalog().list())
      if (model.capability === 'tts' && model.bindings.some(({ providerId }) => providerId === provider))
        return model.tts.voices[0]?.name;
    return undefined;
  }

  return (provider) => {
    const capabilities = definitions.find(({ id }) => id === provider.id)?.capabilities ?? [];
    return Promise.all(capabilities.map((capability) => verifyOne(provider, capability)));
  };
}

function reasonOf(error: unknown): string {
  const { connectionError, upstream } = isGatewayError(error) ? error.extra : {};
  if (connectionError === undefined) return 'It did not answer as expected; the log has the details.';
  return upstream?.started === 'no'
    ? `It could not be reached (${connectionError}); the log has the address.`
    : `The connection to it broke (${connectionError}).`;
}

/** Returns the binding with the lowest price per output token. */
function cheapest(bindings: readonly MessagesBinding[]): MessagesBinding | undefined {
  const priceOf = ({ price }: MessagesBinding) => price.tiers[0].output;
  return bindings.toSorted((a, b) => (priceOf(a) < priceOf(b) ? -1 : 1))[0];
}

function shortMessage(binding: MessagesBinding) {
  const body: MessagesBody = { model: binding.modelName, max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] };
  return {
    body,
    source: new TextEncoder().encode(JSON.stringify(body)),
    changed: [],
    version: '2023-06-01',
    betas: [],
    messageId: 'msg_verification',
    estimatedInputTokens: 1,
  };
}

/** Waits for the first item, then ends the iteration and with it the request. */
async function firstOf(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _item of items) return;
}

/** An audio stream that yields nothing until the signal aborts. */
function silence(signal: AbortSignal): AsyncIterable<Uint8Array> {
  const ended = new Promise<IteratorResult<Uint8Array>>((resolve) =>
    signal.addEventListener('abort', () => resolve({ done: true, value: undefined }), { once: true }),
  );
  return { [Symbol.asyncIterator]: () => ({ next: () => ended }) };
}
