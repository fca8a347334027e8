import { priceRefusals } from '../accounts/access';
import { costOfMinute, minutePrice } from '../billing/quote-audio';
import { ContentRecorder } from '../contents/content-recorder';
import { GatewayError, upstreamFailed } from '../domain/errors';
import { newId, type MeterId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import { pcmSeconds, sampleBytes } from '../domain/pcm';
import type { SttBinding, Transcript } from '../domain/transcription';
import type { MeterOutcome } from '../db/schema/index';
import { createAudioQueue } from './audio-queue';
import { createMessageBudget } from './message-budget';
import { parseMessage } from './message-fields';
import { settledSoon, type Session, type SessionDeps, type SessionStart } from './session';
import type { TranscriptionMeter } from './session-budget';
import type { Route } from '../routing/route';
import { readScenario } from '../routing/scenario';
import type { BlockPool } from './replay-buffer';
import { closeCodes, logFailure, refusalOf } from './session-errors';
import { watchSession } from './session-limits';
import { createTranscriptionUpstream, type TranscriptionUpstream } from './transcription-upstream';
import {
  alreadyConfigured,
  checkIsRaw,
  languageOf,
  notYetConfigured,
  parseConfigure,
  partialSample,
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
// Audio that arrives while the upstream opens is queued; `stop` may arrive then too. However the session ends, it ends
// once, in `close`: the upstream is ended, the last interim text becomes final, the charge is settled and the socket is
// closed.

/** Maximum audio queued while the upstream opens. */
const EARLY_SECONDS = 5;
const EARLY_BYTES = 1_048_576;
/**
 * Maximum audio queued for the upstream before backpressure is applied, and the level at which the client may resume.
 */
const AHEAD_SECONDS = 2;
const RESUME_SECONDS = 1;
/** An upstream that has taken no audio for this long is stuck. */
const STUCK_MS = 10_000;
/** After `stop`, a silent upstream has this long to finish; each message extends it by a second, up to the maximum. */
const GRACE_MS = 5_000;
const GRACE_MORE_MS = 1_000;
const GRACE_MAX_MS = 10_000;
/** Above this many unsent bytes interim texts are skipped: a newer one replaces them anyway. */
const DROP_INTERIM_BYTES = 65_536;

/** `reopening`: live, while another upstream is opened to replace one that was lost. */
type State = 'new' | 'opening' | 'live' | 'reopening' | 'stopping' | 'over';

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
  /** What was transcribed; absent, unless the organisation keeps it. */
  const transcribed = caller.keepSpeechDays === undefined ? undefined : new ContentRecorder();
  const queue = createAudioQueue(() => pulled());
  const budget = createMessageBudget(clock);
  let { policy } = caller;
  let state: State = 'new';
  let configuration: Configuration | undefined;
  let configuredAt = 0;
  /** What a minute costs; undefined until the session is open. */
  let perMinute: NanoUsd | undefined;
  let hasSound = false;
  let upstream: TranscriptionUpstream | undefined;
  let metering: Promise<TranscriptionMeter | undefined> = Promise.resolve(undefined);
  let closing: { code: number; reason: string } = { code: closeCodes.normal, reason: 'done' };
  /** The upstream is slow, or the client sends too fast: the socket is not read meanwhile. */
  let isBackpressured = false;
  let isSlowedDown = false;
  let stoppedAt = 0;
  let graceUntil = 0;
  let stopTimers: (() => void)[] = [];
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
        configuration = parseConfigure(message, deps.catalog(), policy);
        state = 'opening';
        configuredAt = clock.nowMs();
        void open(configuration).catch(fail);
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
    if (!configuration) throw notYetConfigured();
    slowDown(budget.countAudio(piece.byteLength));
    if (state === 'stopping' || queue.isFinished() || piece.byteLength === 0) return;
    const { format } = configuration;
    if (!hasSound) {
      hasSound = true;
      checkIsRaw(piece);
    }
    if (piece.byteLength % sampleBytes(format) !== 0) throw partialSample(piece.byteLength, sampleBytes(format));
    queue.push(piece);
    const waiting = queue.bytes();
    // Usually the piece was pulled synchronously.
    if (waiting === 0) return;
    if (state === 'opening') {
      if (waiting > EARLY_BYTES || pcmSeconds(waiting, format) > EARLY_SECONDS) {
        throw new GatewayError(
          'upstream_timeout',
          `More than ${EARLY_SECONDS} seconds of audio came before the provider was ready. Wait for "session_started" before you send.`,
        );
      }
    } else if (!isBackpressured && pcmSeconds(waiting, format) > AHEAD_SECONDS) applyBackpressure();
  }

  function applyBackpressure(): void {
    isBackpressured = true;
    readOrWait();
    failWhenStuck();
  }

  function failWhenStuck(): void {
    const left = queue.bytes();
    after(STUCK_MS, () => {
      if (!isBackpressured || queue.bytes() < left) return;
      if (upstream?.waitsForCredit()) failWhenStuck();
      else fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'the provider takes no more audio'));
    });
  }

  function pulled(): void {
    if (!isBackpressured || !configuration || pcmSeconds(queue.bytes(), configuration.format) > RESUME_SECONDS) return;
    isBackpressured = false;
    readOrWait();
  }

  function slowDown(ms: number): void {
    if (ms === 0 || isSlowedDown) return;
    isSlowedDown = true;
    readOrWait();
    after(ms, () => {
      isSlowedDown = false;
      readOrWait();
    });
  }

  function readOrWait(): void {
    const waits = isBackpressured || isSlowedDown;
    limits.waiting(waits);
    if (waits) channel.pause();
    else channel.resume();
  }

  async function open(configured: Configuration): Promise<void> {
    const { model, bindings } = configured;
    limits.endAfter(model.stt.maxSessionSeconds * 1_000);
    const router = deps.routers.stt;
    const priceOf = ({ price }: SttBinding) => minutePrice(price, languageOf(configured) !== undefined);
    const refusesPrice = priceRefusals(policy, 'minute', (binding: SttBinding) => costOfMinute(priceOf(binding)));
    const routes = router.routes(model, bindings, by, undefined, refusesPrice);
    const [first] = routes;
    perMinute = costOfMinute(priceOf(first.binding));
    const scenarioFor = ({ providerId }: Route<'stt'>) =>
      router.isTestProvider(providerId) ? readScenario(scenario, '', 'stt') : undefined;
    // An unknown scenario is rejected before any credit is held.
    scenarioFor(first);
    const opening = meters.transcription(
      { caller, sessionId: id, model: model.id, provider: first.providerId },
      priceOf(first.binding),
    );
    // A session that ends meanwhile still has to settle the meter.
    metering = opening.catch(() => undefined);
    const meter = await opening;
    if (isOver()) return;
    meter.exhausted.addEventListener('abort', () => close({ ...refused(meter.exhausted.reason), outcome: 'budget' }), {
      once: true,
    });
    upstream = createTranscriptionUpstream(deps, {
      sessionId: id,
      configuration: configured,
      routes,
      queue,
      meter,
      scenarioFor,
      after,
      ready,
      lost() {
        if (state === 'live') state = 'reopening';
      },
      said(transcript) {
        if (transcript.isFinal) transcribed?.add(lineOf(transcript));
        if (transcript.isFinal || channel.unsentBytes() <= DROP_INTERIM_BYTES) send(presentTranscript(transcript));
      },
      alive() {
        if (state === 'stopping') graceUntil = Math.min(graceUntil + GRACE_MORE_MS, stoppedAt + GRACE_MAX_MS);
      },
    });
    await upstream.run();
    finish();
  }

  function ready(): void {
    if (state === 'opening') send(presentStarted(id));
    else if (state !== 'reopening') return;
    if (queue.isFinished()) beginGrace();
    else state = 'live';
  }

  function stop(goodbye: { code: number; reason: string }): void {
    if (state === 'over' || queue.isFinished()) return;
    closing = goodbye;
    if (state === 'new') return close({ closeCode: goodbye.code, reason: goodbye.reason, outcome: 'done' });
    queue.finish();
    if (isBackpressured) {
      isBackpressured = false;
      readOrWait();
    }
    // While an upstream opens, its opening timeout applies; the grace period starts when it takes audio.
    if (state === 'live') beginGrace();
  }

  function beginGrace(): void {
    state = 'stopping';
    stoppedAt = clock.nowMs();
    graceUntil = stoppedAt + GRACE_MS;
    const look = () => {
      const left = graceUntil - clock.nowMs();
      if (left > 0) after(left, look);
      else finish();
    };
    after(GRACE_MS, look);
  }

  /** The regular end: the upstream has finished, or its grace period is over. */
  function finish(): void {
    if (isOver()) return;
    const done = () => presentDone(upstream?.audioSeconds() ?? 0, (clock.nowMs() - configuredAt) / 1_000);
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
    for (const cancel of stopTimers) cancel();
    stopTimers = [];
    queue.finish();
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

  function after(ms: number, run: () => void): () => void {
    if (state === 'over') return () => {};
    const cancel = clock.after(ms, () => {
      stopTimers = stopTimers.filter((other) => other !== cancel);
      if (state !== 'over') run();
    });
    stopTimers.push(cancel);
    return cancel;
  }

  const isOver = () => state === 'over';

  channel.listen({ message: onMessage, pong: () => limits.pong(), closed: onClosed });
  return {
    id,
    using: () =>
      configuration && {
        modelId: configuration.model.id,
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
