import { keepable } from '../contents/content-recorder';
import type { MeterAttempt, MeterOutcome } from '../db/schema/index';
import type { Caller } from '../domain/caller';
import { codeOf } from '../domain/errors';
import type { MeterId, SessionId } from '../domain/ids';
import type { Route, Routes } from '../routing/route';
import { recordBreak } from '../routing/try-routes';
import type { Channel } from './channel';
import type { SpeechMeter } from './meters';
import type { SessionDeps } from './session';
import type { SpokenAudio } from './spoken-audio';
import type { Begun, SpeechUpstream } from './speech-upstream';
import { presentAudio, presentSpoken, type Order } from './speech-wire';

// One text of a speech session, from its credit hold to its charge:
//
//   holding ──hold opened──▶ beginning ──first audio──▶ speaking ──last audio──▶ done
//      │                         │                         │
//      ├─────────────────────────┴─────────────────────────┴──error──▶ failed
//      └── in each of the three: cancel ──▶ cancelled
//
// With ample credit the provider is called while the hold is opened, but no audio is delivered before that. A cancelled
// generation delivers nothing more, even if its upstream continues to send audio. However it ends, it is settled once.

export interface Generation {
  readonly order: Order;
  /** The route that is speaking or being called. */
  route(): Route<'tts'>;
  /**
   * Runs the generation; call it once. Resolves or rejects when the charge is settled. A cancelled generation may do
   * either.
   */
  run(): Promise<void>;
  /** Stops the upstream. Nothing more is delivered. Safe to repeat. */
  cancel(): void;
}

/** What all texts of a session share. */
interface Speaking {
  readonly sessionId: SessionId;
  readonly caller: Caller;
  readonly upstream: SpeechUpstream;
  readonly channel: Pick<Channel, 'unsentBytes'>;
  /** Sends a message to the client. */
  send(text: string): void;
}

/** If more bytes than this are unsent, the upstream is paused until the client has caught up. */
const BEHIND_BYTES = 1_048_576;
const CAUGHT_UP_BYTES = 262_144;
const CATCH_UP_LOOK_INTERVAL_MS = 20;

/**
 * Creates a generation that has not begun yet. `routes` are in order of preference. The first sets the price, whichever
 * provider speaks.
 */
export function createGeneration(
  { clock, meters, health, contents }: Pick<SessionDeps, 'clock' | 'meters' | 'health' | 'contents'>,
  { sessionId, caller, upstream, channel, send }: Speaking,
  { order, routes }: { readonly order: Order; readonly routes: Routes<'tts'> },
): Generation {
  const [first] = routes;
  let route: Route<'tts'> = first;
  const stop = new AbortController();
  const isCancelled = () => stop.signal.aborted;

  async function run(): Promise<void> {
    const {
      id: contextId,
      isAmple,
      opened,
    } = meters.speech(
      { caller, sessionId, model: order.model.id, provider: first.providerId },
      first.binding.price.perCharacter,
      order.characters,
    );
    // No audio is delivered before the credit is held, but with ample credit the provider starts before that.
    let beginning = isAmple ? begin(contextId, opened) : undefined;
    // It may reject before it is awaited; a later await still gets the rejection.
    beginning?.catch(() => {});
    let begun: Begun | undefined;
    let outcome: MeterOutcome = 'cancelled';
    let code: string | undefined;
    try {
      const meter = await opened;
      if (isCancelled()) return;
      beginning ??= begin(contextId, opened);
      begun = await beginning;
      if (isCancelled()) return;
      meter.servedBy(begun.route.providerId);
      await deliver(begun.audio, contextId, meter);
      if (isCancelled()) return;
      outcome = 'done';
      await settle(meter);
      if (!isCancelled()) send(presentSpoken(contextId));
    } catch (error) {
      const hasFailed = !isCancelled();
      stop.abort();
      if (hasFailed) {
        outcome = 'failed';
        code = codeOf(error);
        if (begun) recordBreak(health, begun.route, error);
      }
      throw error;
    } finally {
      beginning?.then(
        ({ audio }) => audio.giveUp(),
        () => {},
      );
      // Without a hold there is nothing to settle and no audio to read.
      await opened.then(
        (meter) => {
          keep(contextId);
          return settle(meter);
        },
        () => {},
      );
    }

    function settle(meter: SpeechMeter): Promise<void> {
      if (begun) meter.attempted(attemptOf(begun, clock.nowMs(), outcome, code));
      // Recorded once.
      begun = undefined;
      return meter.settle(outcome, code);
    }
  }

  function begin(contextId: MeterId, opened: Promise<SpeechMeter>): Promise<Begun> {
    return upstream.begin(
      { order, routes, contextId, signal: stop.signal },
      {
        calling(called) {
          route = called;
        },
        refused(attempt) {
          opened.then(
            (meter) => meter.attempted(attempt),
            () => {},
          );
        },
      },
    );
  }

  async function deliver(audio: SpokenAudio, contextId: MeterId, meter: SpeechMeter): Promise<void> {
    for await (const { base64 } of audio) {
      if (isCancelled()) return;
      meter.delivered();
      send(presentAudio(base64, contextId));
      if (channel.unsentBytes() > BEHIND_BYTES) await caughtUp();
      if (isCancelled()) return;
    }
  }

  async function caughtUp(): Promise<void> {
    while (!isCancelled() && channel.unsentBytes() > CAUGHT_UP_BYTES)
      await clock.sleep(CATCH_UP_LOOK_INTERVAL_MS, stop.signal);
  }

  /** Stores the text, if the organisation keeps it. */
  function keep(contextId: MeterId): void {
    const { orgId, keepSpeechDays: days } = caller;
    if (days === undefined) return;
    contents.keep({ id: contextId, orgId, days, request: keepable(Buffer.from(order.request.input)), answer: null });
  }

  return { order, route: () => route, run, cancel: () => stop.abort() };
}

/** The attempt of the provider that spoke, for the record. */
function attemptOf(
  { route, startedAt, startMs }: Begun,
  endedAt: number,
  outcome: MeterOutcome,
  code: string | undefined,
): MeterAttempt {
  return {
    provider: route.providerId,
    outcome: outcome === 'failed' ? 'lost' : 'served',
    ...(code !== undefined && { code }),
    ms: endedAt - startedAt,
    ...(startMs > 0 && { startMs }),
  };
}
