import type { MeterAttempt } from '../db/schema/index';
import type { Clock } from '../domain/clock';
import { codeOf, isGatewayError, upstreamFailed, type GatewayError } from '../domain/errors';
import type { Log } from '../domain/log';
import type { ProviderId, SessionId } from '../domain/ids';
import type { SttEvent, Transcript } from '../domain/transcription';
import type { ProviderHealth } from '../routing/provider-health';
import type { Route, Routes } from '../routing/route';
import { providerFailureOf, recordBreak, reconnectIfAlone, tryRoutes } from '../routing/try-routes';
import type { AudioQueue, AudioReading } from './audio-queue';
import type { TranscriptionMeter } from './session-budget';
import type { BlockPool } from './replay-buffer';
import { createReplayWindow } from './replay-window';
import { languageOf, type Configuration } from './transcription-wire';
import { createUpstreamCredit } from './upstream-credit';

// The upstream of a transcription, over all provider attempts. The attempt loop finds a provider that takes audio. If
// that one is lost during the transcription, it is replaced without notice to the client: audio without final text is
// sent again to the next provider, whose timestamps start where the last final text ended. If that audio is no longer
// stored, the transcription fails.
//
//   opening ──an upstream takes audio──▶ open ──its last text──▶ over
//      ▲ │                                │ │
//      │ └──none does──▶ failed ◀──lost───┘ │
//      └──lost, and its audio is stored─────┘

export interface TranscriptionUpstream {
  /** Resolves when the upstream has finished after the end of the audio. Rejects when no provider can continue. */
  run(): Promise<void>;
  /** Ends the upstream immediately; no more transcripts follow. Safe to repeat. */
  end(): void;
  /** Returns text that the client has seen and that is not final. */
  interim(): Transcript | undefined;
  /** Whether audio waits for a credit hold in our ledger, and not for the upstream. */
  waitsForCredit(): boolean;
  /** Returns the provider of the binding that serves or is being opened. */
  providerId(): ProviderId | undefined;
  /** Returns the seconds of audio that the provider heard, by its own measure if it reports one. */
  audioSeconds(): number;
}

interface UpstreamStart {
  readonly sessionId: SessionId;
  readonly configuration: Configuration;
  readonly routes: Routes<'stt'>;
  readonly queue: AudioQueue;
  readonly meter: TranscriptionMeter;
  /** Returns the scenario that applies to this route. */
  scenarioFor(route: Route<'stt'>): string | undefined;
  /** Starts a timer that ends with the session. */
  after(ms: number, run: () => void): () => void;
  /** Called when an upstream takes audio: the first one or a replacement. */
  ready(): void;
  /** Called when the upstream was lost and another one is being opened. */
  lost(): void;
  said(transcript: Transcript): void;
  /** Called when the upstream has sent something. */
  alive(): void;
}

/** The maximum time in milliseconds from the first attempt to an upstream that takes audio, over all attempts. */
const READY_MS = 5_000;
const MAX_LOSSES = 3;
/** If a replacement is lost within this time without a transcript, another replacement would be lost too. */
const STEADY_MS = 5_000;

interface Attempt {
  readonly route: Route<'stt'>;
  readonly stop: AbortController;
  readonly reading: AudioReading;
  readonly startedAt: number;
  /** Position of its first sample in the session. */
  readonly offsetSeconds: number;
  /** Unix milliseconds at which it began to take audio; 0 before that. */
  readyAt: number;
  hasSaid: boolean;
  isRecorded: boolean;
  /** Ends it with this error, unless it already takes audio. */
  refuse(error: GatewayError): void;
}

/** An upstream that takes audio. */
interface OpenUpstream {
  readonly current: Attempt;
  /** Resolves at its regular end; rejects when it is lost. */
  readonly over: Promise<void>;
}

interface UpstreamDeps {
  readonly health: ProviderHealth;
  readonly clock: Clock;
  readonly log: Log;
  readonly blocks: BlockPool;
}

export function createTranscriptionUpstream(deps: UpstreamDeps, start: UpstreamStart): TranscriptionUpstream {
  const { health, clock, log } = deps;
  const { sessionId, configuration, routes, queue, meter, after } = start;
  const { model, format } = configuration;
  const language = languageOf(configuration);
  const replay = createReplayWindow({ blocks: deps.blocks, clock, format, wordTimes: model.stt.wordTimes });
  let attempt: Attempt | undefined;
  /** The start of the first attempt. */
  let firstStartedAt: number | undefined;
  const ending = new AbortController();
  const isEnded = () => ending.signal.aborted;
  let losses = 0;
  let reportedSeconds: number | undefined;
  let giveUp: (error: unknown) => void = () => {};
  const credit = createUpstreamCredit({
    meter,
    clock,
    // The quoted price applies, whichever provider serves.
    isSessionPaid: routes[0].binding.price.meter === 'session',
    after,
    replay,
    fail: (error) => giveUp(error),
  });

  async function listen(): Promise<void> {
    let candidates = routes;
    for (;;) {
      const { current, over } = await openOne(candidates);
      try {
        await over;
      } catch (error) {
        if (isEnded()) return;
        record(current, 'lost', error);
        // An upstream may close because it gets no audio while we wait for credits, so this is not counted against it.
        if (!credit.isWaiting()) recordBreak(health, current.route, error);
        candidates = failoverRoutes(current, error);
        start.lost();
        continue;
      }
      if (!isEnded()) record(current, 'served');
      return;
    }
  }

  /** Resolves with the first upstream that takes audio. Rejects if there is none within READY_MS. */
  async function openOne(candidates: Routes<'stt'>): Promise<OpenUpstream> {
    let isLate = false;
    const cancelLate = after(READY_MS, () => {
      isLate = true;
      attempt?.refuse(
        upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'the provider was not ready in time', 'upstream_timeout'),
      );
    });
    try {
      return await tryRoutes(candidates, open, {
        capability: 'stt',
        workId: sessionId,
        health,
        clock,
        isOver: () => isLate,
        // Safe: all audio is kept until then, and the client pays for it once.
        mayBeginTwice: true,
        repeat: reconnectIfAlone,
        signal: ending.signal,
        onAttempt(_route, _ms, failed) {
          if (!failed || !attempt) return;
          if (!isEnded()) logFailure('a provider did not open a transcription', attempt, failed.error);
          record(attempt, 'refused', failed.error);
        },
      });
    } finally {
      cancelLate();
    }
  }

  /**
   * Returns the routes to try after a loss. Throws the error if it is not a provider's, if the audio to replay is no
   * longer stored, or if another attempt would fail as well.
   */
  function failoverRoutes(lost: Attempt, error: unknown): Routes<'stt'> {
    if (!providerFailureOf(error)) throw error;
    losses += 1;
    const isReplacement = losses > 1;
    const isSteady = lost.hasSaid || clock.nowMs() - lost.readyAt >= STEADY_MS;
    if (losses > MAX_LOSSES || (isReplacement && !isSteady) || !replay.isComplete()) throw error;
    const others = routes.filter((route) => route !== lost.route);
    // A provider that rejected the credentials would reject them again.
    const isRefused = isGatewayError(error) && error.code === 'upstream_auth_failed';
    const [next, ...rest] = isRefused ? others : [lost.route, ...others];
    if (!next) throw error;
    logFailure('a provider was lost during a transcription; its audio without final text is sent again', lost, error);
    return [next, ...rest];
  }

  /** Opens an upstream; resolves when it takes audio. */
  function open(route: Route<'stt'>): Promise<OpenUpstream> {
    return new Promise((resolve, reject) => {
      const stop = new AbortController();
      const current: Attempt = {
        route,
        stop,
        reading: queue.read({ again: replay.pieces(), pass }),
        startedAt: clock.nowMs(),
        offsetSeconds: replay.startSeconds(),
        readyAt: 0,
        hasSaid: false,
        isRecorded: false,
        refuse(error) {
          reject(error);
          stop.abort();
        },
      };
      attempt = current;
      firstStartedAt ??= current.startedAt;
      const over = runAttempt(current, () => resolve({ current, over }));
      // Has no effect once the upstream takes audio.
      over.then(() => reject(new Error('The session has ended.')), reject);
    });
  }

  async function runAttempt(current: Attempt, onReady: () => void): Promise<void> {
    const { route, stop, reading } = current;
    const scenario = start.scenarioFor(route);
    try {
      const events = route.provider.transcribe(
        reading,
        {
          binding: route.binding,
          format,
          ...(language === undefined ? {} : { language }),
          ...(scenario === undefined ? {} : { scenario }),
        },
        { signal: stop.signal, log },
      );
      for await (const event of events) {
        if (isEnded()) return;
        // If an adapter does not send `ready` first and only once, only its own session suffers.
        if (event.kind !== 'ready') {
          if (current.readyAt > 0) receive(event, current);
        } else if (current.readyAt === 0) {
          becomeReady(current);
          onReady();
        }
      }
    } finally {
      reading.stop();
      stop.abort();
    }
    if (isEnded() || (current.readyAt > 0 && queue.isFinished())) return;
    throw upstreamFailed(
      { retry: 'later', started: current.readyAt > 0 ? 'maybe' : 'no' },
      'the provider ended the transcription by itself',
    );
  }

  function becomeReady(current: Attempt): void {
    current.readyAt = clock.nowMs();
    meter.servedBy(current.route.providerId);
    credit.begin(current.readyAt);
    start.ready();
  }

  function receive(event: Exclude<SttEvent, { kind: 'ready' }>, current: Attempt): void {
    start.alive();
    if (event.kind === 'working') return;
    if (event.kind === 'usage') {
      reportedSeconds = current.offsetSeconds + event.audioSeconds;
      return;
    }
    current.hasSaid = true;
    const transcript = shifted(event.transcript, current.offsetSeconds);
    replay.said(transcript);
    meter.delivered();
    start.said(transcript);
  }

  /** Keeps the audio for a replay, and counts it against the budget before it is passed on. */
  function pass(piece: Uint8Array): boolean | Promise<boolean> {
    replay.add(piece);
    return credit.use();
  }

  /** Records each attempt once: with its own outcome, or at the end of the session. */
  function record(current: Attempt, outcome: MeterAttempt['outcome'], error?: unknown): void {
    if (current.isRecorded) return;
    current.isRecorded = true;
    const startMs = current.startedAt - (firstStartedAt ?? current.startedAt);
    meter.attempted({
      provider: current.route.providerId,
      outcome,
      ...(error === undefined || isEnded() ? {} : { code: codeOf(error) }),
      ms: clock.nowMs() - current.startedAt,
      ...(startMs > 0 && { startMs }),
    });
  }

  function logFailure(what: string, { route, readyAt }: Attempt, error: unknown): void {
    const detail = isGatewayError(error)
      ? { code: error.code, ...(error.extra.detail === undefined ? {} : { error: error.extra.detail }) }
      : {};
    log.info(what, {
      provider: route.providerId,
      model: model.id,
      ...(readyAt > 0 ? { ms: clock.nowMs() - readyAt } : {}),
      ...detail,
    });
  }

  return {
    run: () =>
      new Promise((resolve, reject) => {
        giveUp = reject;
        listen().then(resolve, (error: unknown) => (isEnded() ? resolve() : reject(error)));
      }),
    end() {
      if (isEnded()) return;
      ending.abort();
      replay.clear();
      if (!attempt) return;
      record(attempt, attempt.readyAt > 0 ? 'served' : 'refused');
      attempt.reading.stop();
      attempt.stop.abort();
    },
    interim: () => replay.interim(),
    waitsForCredit: () => credit.isWaiting(),
    providerId: () => attempt?.route.binding.providerId,
    audioSeconds: () => reportedSeconds ?? replay.endSeconds(),
  };
}

function shifted(transcript: Transcript, bySeconds: number): Transcript {
  if (bySeconds === 0 || !transcript.words) return transcript;
  return {
    ...transcript,
    words: transcript.words.map(({ word, startSeconds, endSeconds }) => ({
      word,
      startSeconds: startSeconds + bySeconds,
      endSeconds: endSeconds + bySeconds,
    })),
  };
}
