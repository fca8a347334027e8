import { priceRefusals } from '../accounts/access';
import { costOfMinute, minutePrice } from '../billing/quote-audio';
import { ContentRecorder } from '../contents/content-recorder';
import type { KeyPolicy } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { newId, type MeterId } from '../domain/ids';
import type { NanoUsd, UnitPrice } from '../domain/money';
import type { SttBinding, Transcript } from '../domain/transcription';
import type { MeterOutcome } from '../db/schema/index';
import type { ServedBy } from '../routing/provider-directory';
import type { Route, Routes } from '../routing/route';
import type { Router } from '../routing/router';
import { readScenario } from '../routing/test-mode';
import { createAudioIntake, type AudioIntake } from './audio-intake';
import { createMessageBudget } from './message-budget';
import { parseMessage } from './message-fields';
import type { BlockPool } from './replay-buffer';
import { settledSoon, type Session, type SessionDeps, type SessionStart } from './session';
import type { TranscriptionMeter } from './session-budget';
import { closeCodes, logFailure, refusalOf } from './session-errors';
import { watchSession } from './session-limits';
import { createSessionTimers, type SessionTimers } from './session-timers';
import { createTranscriptionUpstream, type TranscriptionUpstream } from './transcription-upstream';
import {
  alreadyConfigured,
  languageOf,
  notYetConfigured,
  parseConfigure,
  presentDone,
  presentStarted,
  presentTranscript,
  unknownType,
  type Configuration,
} from './transcription-wire';

// One transcription from the first message to the charge:
//
//   new ──configure──▶ opening ──upstream ready──▶ live ──stop──▶ stopping ──last transcript──▶ over
//
// Audio that arrives while the upstream opens is queued; `stop` may arrive then too. How the audio is taken from the client
// is in `audio-intake.ts`, how an upstream is replaced in `transcription-upstream.ts`. However the session ends, it ends
// once, in `close`: the upstream is ended, the last interim text becomes final, the charge is settled and the socket is
// closed.

/**
 * How long a silent upstream may take to finish after `stop`. Each message extends this by a second, up to the maximum.
 */
const GRACE_MS = 5_000;
const GRACE_MORE_MS = 1_000;
const GRACE_MAX_MS = 10_000;
/** If more bytes than this are unsent, interim texts are skipped: a newer one replaces them anyway. */
const DROP_INTERIM_BYTES = 65_536;

/** `reopening`: live, while another upstream is opened to replace one that was lost. */
type State = 'new' | 'opening' | 'live' | 'reopening' | 'stopping' | 'over';

/** What `configure` started. */
interface Configured {
  readonly configuration: Configuration;
  readonly atMs: number;
  readonly intake: AudioIntake;
}

interface Goodbye {
  /** The last message before the close. */
  last?(): string;
  readonly closeCode: number;
  readonly reason: string;
  readonly outcome: MeterOutcome;
  /** The error code that ends it. */
  readonly code?: string;
}

/** Runs a transcription on the channel until that closes, or `drain` or `refuse` ends it. */
export function startTranscription(
  deps: SessionDeps & { readonly blocks: BlockPool },
  { channel, caller, by, scenario, onError }: SessionStart,
): Session {
  const { clock, log, meters, contents } = deps;
  const id = newId('session');
  /** The transcribed text; absent unless the organisation keeps it. */
  const transcribed = caller.keepSpeechDays === undefined ? undefined : new ContentRecorder();
  const budget = createMessageBudget(clock);
  const timers = createSessionTimers(clock);
  let { policy } = caller;
  let state: State = 'new';
  let configured: Configured | undefined;
  /** What a minute costs; undefined until the session is open. */
  let perMinute: NanoUsd | undefined;
  let upstream: TranscriptionUpstream | undefined;
  let metering: Promise<TranscriptionMeter | undefined> = Promise.resolve(undefined);
  let closing: { code: number; reason: string } = { code: closeCodes.normal, reason: 'done' };
  let grace: GracePeriod | undefined;
  let resolveEnded: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    resolveEnded = resolve;
  });

  const limits = watchSession({
    channel,
    clock,
    events: {
      idle: () => close({ closeCode: closeCodes.normal, reason: 'idle_timeout', outcome: 'done' }),
      longest: () => stop({ code: closeCodes.normal, reason: 'max_duration' }),
      dead: () => onDead(),
      slow: () => close({ closeCode: closeCodes.slow, reason: 'slow_reader', outcome: 'failed', code: 'slow_reader' }),
    },
  });

  function send(text: string): void {
    channel.send(text);
    limits.sent();
  }

  function onMessage(data: string | Uint8Array): void {
    if (state === 'over') return;
    limits.touch();
    try {
      if (typeof data === 'string') onText(data);
      else onAudio(data);
    } catch (error) {
      fail(error);
    }
  }

  function onText(text: string): void {
    budget.countMessage();
    const message = parseMessage(text);
    switch (message.type) {
      case 'configure':
        if (state !== 'new') throw alreadyConfigured();
        configured = configure(parseConfigure(message, deps.catalog(), policy));
        state = 'opening';
        void open(configured).catch(fail);
        break;
      case 'stop':
        if (state === 'new') throw notYetConfigured();
        stop({ code: closeCodes.normal, reason: 'done' });
        break;
      default:
        // Newer clients may send unknown messages; they are rejected without ending the session.
        budget.countMistake();
        send(refused(unknownType(message.type)).last());
    }
  }

  function onAudio(piece: Uint8Array): void {
    if (!configured) throw notYetConfigured();
    configured.intake.take(piece, state === 'opening');
  }

  function configure(configuration: Configuration): Configured {
    const intake = createAudioIntake({
      format: configuration.format,
      budget,
      after: timers.after,
      wait(isWaiting) {
        limits.waiting(isWaiting);
        if (isWaiting) channel.pause();
        else channel.resume();
      },
      waitsForCredit: () => upstream?.waitsForCredit() === true,
      fail,
    });
    return { configuration, atMs: clock.nowMs(), intake };
  }

  async function open({ configuration, intake }: Configured): Promise<void> {
    const { model } = configuration;
    limits.endAfter(model.stt.maxSessionSeconds * 1_000);
    const router = deps.routers.stt;
    const { routes, price } = routesOf(router, configuration, by, policy);
    const [first] = routes;
    perMinute = costOfMinute(price);
    const scenarioFor = ({ providerId }: Route<'stt'>) =>
      router.isTestProvider(providerId) ? readScenario(scenario, '', 'stt') : undefined;
    // An unknown scenario is rejected before any credit is held.
    scenarioFor(first);
    const opening = meters.transcription({ caller, sessionId: id, model: model.id, provider: first.providerId }, price);
    // A session that ends in the meantime still has to settle the meter.
    metering = opening.catch(() => undefined);
    const meter = await opening;
    if (isOver()) return;
    meter.exhausted.addEventListener('abort', () => close({ ...refused(meter.exhausted.reason), outcome: 'budget' }), {
      once: true,
    });
    upstream = createTranscriptionUpstream(deps, {
      sessionId: id,
      configuration,
      routes,
      queue: intake.queue,
      meter,
      scenarioFor,
      after: timers.after,
      ready,
      lost() {
        if (state === 'live') state = 'reopening';
      },
      said(transcript) {
        if (transcript.isFinal) transcribed?.add(lineOf(transcript));
        if (transcript.isFinal || channel.unsentBytes() <= DROP_INTERIM_BYTES) send(presentTranscript(transcript));
      },
      alive: () => grace?.extend(),
    });
    await upstream.run();
    finish();
  }

  function ready(): void {
    if (state === 'opening') send(presentStarted(id));
    else if (state !== 'reopening') return;
    if (configured?.intake.queue.isFinished()) beginGrace();
    else state = 'live';
  }

  function stop(goodbye: { code: number; reason: string }): void {
    if (state === 'over' || configured?.intake.queue.isFinished()) return;
    closing = goodbye;
    if (!configured) return close({ closeCode: goodbye.code, reason: goodbye.reason, outcome: 'done' });
    configured.intake.finish();
    // While an upstream opens, its opening timeout applies; the grace period starts when it takes audio.
    if (state === 'live') beginGrace();
  }

  function beginGrace(): void {
    state = 'stopping';
    grace = startGracePeriod(clock, timers, finish);
  }

  /** Ends the session regularly: the upstream has finished, or its grace period is over. */
  function finish(): void {
    if (isOver()) return;
    const done = () => presentDone(upstream?.audioSeconds() ?? 0, (clock.nowMs() - (configured?.atMs ?? 0)) / 1_000);
    close({ last: done, closeCode: closing.code, reason: closing.reason, outcome: 'done' });
  }

  function fail(error: unknown): void {
    if (state === 'over') return;
    logFailure(log, error, { requestId: id });
    close({ ...refused(error), outcome: 'failed' });
  }

  function refused(error: unknown) {
    const { error: refusal, text, closeCode, closeReason } = refusalOf(error);
    onError?.(refusal);
    return { last: () => text, closeCode, reason: closeReason, code: closeReason };
  }

  /** The only exit that sends a message to the client. */
  function close({ last, closeCode, reason, outcome, code }: Goodbye): void {
    if (state === 'over') return;
    state = 'over';
    // The client has seen this text, and no better one will come.
    const interim = upstream?.interim();
    if (interim) send(presentTranscript({ ...interim, isFinal: true }));
    const text = last?.();
    void settle(outcome, code).then(() => {
      if (text !== undefined) channel.send(text);
      channel.close(closeCode, reason);
    });
  }

  function onDead(): void {
    channel.cut();
    onClosed();
  }

  function onClosed(): void {
    if (state === 'over') return;
    state = 'over';
    void settle('cancelled');
  }

  async function settle(outcome: MeterOutcome, code?: string): Promise<void> {
    limits.stop();
    timers.stop();
    // Not `intake.finish`: the socket is not read again.
    configured?.intake.queue.finish();
    const interim = upstream?.interim();
    if (interim) transcribed?.add(lineOf(interim));
    upstream?.end();
    const settling = metering.then((opened) => {
      if (opened) keep(opened.id);
      return opened?.settle(outcome, code);
    });
    await settledSoon(clock, settling.finally(resolveEnded));
  }

  function keep(meter: MeterId): void {
    const { orgId, keepSpeechDays: days } = caller;
    if (days !== undefined)
      contents.keep({ id: meter, orgId, days, request: null, answer: transcribed?.text() ?? null });
  }

  const isOver = () => state === 'over';

  channel.listen({ message: onMessage, pong: () => limits.pong(), closed: onClosed });
  return {
    id,
    using: () =>
      configured && {
        modelId: configured.configuration.model.id,
        providerId: upstream?.providerId(),
        price: perMinute === undefined ? undefined : { per: 'minute', amount: perMinute },
      },
    setPolicy(next) {
      policy = next;
    },
    drain: () => stop({ code: closeCodes.goingAway, reason: 'shutting_down' }),
    refuse: (error) => close({ ...refused(error), outcome: 'cancelled' }),
    ended,
  };
}

const lineOf = ({ text }: Transcript) => Buffer.from(`${text}\n`);

/** The routes that may transcribe, in order of preference, and the price of a minute. Throws as `Router.routes` does. */
function routesOf(
  router: Router<'stt'>,
  configuration: Configuration,
  by: ServedBy,
  policy: KeyPolicy,
): { readonly routes: Routes<'stt'>; readonly price: UnitPrice } {
  const { model, bindings } = configuration;
  const priceOf = ({ price }: SttBinding) => minutePrice(price, languageOf(configuration) !== undefined);
  const refusesPrice = priceRefusals(policy, 'minute', (binding: SttBinding) => costOfMinute(priceOf(binding)));
  const routes = router.routes(model, bindings, by, undefined, refusesPrice);
  // The first route sets the price, whichever provider serves.
  return { routes, price: priceOf(routes[0].binding) };
}

interface GracePeriod {
  /** Extends the grace period, because the upstream has sent something. */
  extend(): void;
}

/** Starts the time that the upstream has to finish after `stop`. Calls `onOver` at its end. */
function startGracePeriod(clock: Clock, timers: SessionTimers, onOver: () => void): GracePeriod {
  const stoppedAt = clock.nowMs();
  let until = stoppedAt + GRACE_MS;
  const look = () => {
    const left = until - clock.nowMs();
    if (left > 0) timers.after(left, look);
    else onOver();
  };
  timers.after(GRACE_MS, look);
  return {
    extend() {
      until = Math.min(until + GRACE_MORE_MS, stoppedAt + GRACE_MAX_MS);
    },
  };
}
