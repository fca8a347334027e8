import type { MeterAttempt } from '../db/schema/index';
import type { Clock } from '../domain/clock';
import { isGatewayError, upstreamFailed } from '../domain/errors';
import type { Log } from '../domain/log';
import type { ProviderId } from '../domain/ids';
import { pcmBytes, pcmSeconds } from '../domain/pcm';
import type { SttEvent, Transcript } from '../domain/transcription';
import type { ProviderHealth } from '../routing/provider-health';
import type { SttRoute } from '../routing/speech-routes';
import type { AudioQueue, AudioReading } from './audio-queue';
import type { TranscriptionMeter } from './session-budget';
import { createSoundStore, type BlockPool } from './sound-store';
import { languageOf, type Configuration } from './transcription-wire';

// Who listens to a transcription, from the first provider that is asked to the last. One that does not open gives its place to
// the next. One that is lost in the middle is replaced without a word: what it has not answered with final text is heard again
// by the next, whose times begin where the last final text ended. Where that sound is not all here any more, the loss is told.

export interface TranscriptionUpstream {
  /** Resolves when everything has been said after the end of the sound; rejects when nobody can go on. */
  run(): Promise<void>;
  /** Tells the upstream, at once; nothing more comes. Safe to repeat. */
  end(): void;
  /** Text that the caller has seen and that is not final. */
  interim(): Transcript | undefined;
  /** The provider of the binding that serves, or is being opened. */
  providerId(): ProviderId | undefined;
  /** Sound that was heard, by the provider's own measure where it gives one. */
  audioSeconds(): number;
}

interface UpstreamStart {
  readonly configuration: Configuration;
  /** Best first. */
  readonly routes: readonly [SttRoute, ...SttRoute[]];
  readonly queue: AudioQueue;
  readonly meter: TranscriptionMeter;
  /** The scenario that this route obeys. */
  scenarioFor(route: SttRoute): string | undefined;
  /** A timer of the session, which ends with it. */
  after(ms: number, run: () => void): () => void;
  /** An upstream takes sound: the first one, or another in its place. */
  ready(): void;
  /** The upstream is gone, and another one is being asked. */
  lost(): void;
  said(transcript: Transcript): void;
  /** The upstream shows that it is at work. */
  alive(): void;
}

/** From the first question to an upstream that listens, all attempts together. */
const READY_MS = 5_000;
const METER_TICK_MS = 1_000;
/** What a provider was given longer ago than this it has heard: without interim text it was silence. */
const QUIET_KEEP_MS = 1_000;
const MARK_MS = 100;
const LOOK_SECONDS = 0.05;
/** While interim text is open. No utterance is much longer, and a session has a bound. */
const SPEAKING_KEEP_SECONDS = 15;
const KEEP_MAX_BYTES = 1_048_576;
const MAX_LOSSES = 3;
/** One that is lost before this, in the place of another, and has said nothing, will be lost once more. */
const STEADY_MS = 5_000;

interface Attempt {
  readonly route: SttRoute;
  readonly stop: AbortController;
  readonly reading: AudioReading;
  readonly askedAt: number;
  /** Of its first sample in the session. */
  readonly offsetSeconds: number;
  /** When it took sound; 0: not yet. */
  readyAt: number;
  hasSaid: boolean;
  isRecorded: boolean;
}

interface UpstreamDeps {
  readonly health: ProviderHealth;
  readonly clock: Clock;
  readonly log: Log;
  readonly blocks: BlockPool;
}

export function createTranscriptionUpstream(deps: UpstreamDeps, start: UpstreamStart): TranscriptionUpstream {
  const { health, clock, log } = deps;
  const { configuration, routes, queue, meter, after } = start;
  const { model, format } = configuration;
  const language = languageOf(configuration);
  const store = createSoundStore(deps.blocks);
  const bytesOf = (seconds: number) => pcmBytes(seconds, format);
  /** Looking with each piece would cost as much as keeping it. */
  const lookBytes = bytesOf(LOOK_SECONDS);
  /** The price that was quoted holds, whoever listens. */
  const isSessionPaid = routes[0].binding.price.meter === 'session';
  const mostKept = Math.min(bytesOf(SPEAKING_KEEP_SECONDS), KEEP_MAX_BYTES);
  let attempt: Attempt | undefined;
  let isEnded = false;
  let firstReadyAt = 0;
  let losses = 0;
  let interim: Transcript | undefined;
  /** Where the last final text ended, in bytes of the session. */
  let finalUntil = 0;
  let reportedSeconds: number | undefined;
  /**
   * How much had been given when, newest last, two numbers a mark: no more than the time of `QUIET_KEEP_MS` needs. No objects,
   * which would live just long enough to be moved out of young memory, ten a second for every session.
   */
  const marks: number[] = [];
  let lastMarkAt = 0;
  /** The position at which it is looked again what can be dropped. */
  let nextLook = 0;
  let giveUp: (error: unknown) => void = () => {};

  async function listen(): Promise<void> {
    let candidates: readonly SttRoute[] = twice(routes);
    for (;;) {
      const loss = await askInTurn(candidates);
      if (!loss) return;
      candidates = whoGoesOn(loss);
      start.lost();
    }
  }

  /** Resolves when it is over, or with the loss of an upstream that had listened; rejects when none opens. */
  async function askInTurn(
    candidates: readonly SttRoute[],
  ): Promise<{ readonly lost: Attempt; readonly error: unknown } | undefined> {
    const cancelLate = after(READY_MS, () =>
      giveUp(
        upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'the provider was not ready in time', 'upstream_timeout'),
      ),
    );
    for (const [index, route] of candidates.entries()) {
      const asked = beginAttempt(route);
      try {
        await hear(asked, cancelLate);
        if (!isEnded) {
          health.succeeded(route.providerId);
          record(asked, 'served');
        }
        return undefined;
      } catch (error) {
        if (isEnded) return undefined;
        record(asked, asked.readyAt > 0 ? 'lost' : 'refused');
        const outcome = isGatewayError(error) ? error.extra.upstream : undefined;
        // Any other error is ours (the database, the budget), or the caller's.
        if (outcome && outcome.retry !== 'never') health.failed(route.providerId);
        if (outcome === undefined || outcome.retry === 'never') throw error;
        if (asked.readyAt > 0) return { lost: asked, error };
        if (outcome.started !== 'no' || index === candidates.length - 1) throw error;
        tell('a provider did not open a transcription; the next one is asked', asked, error);
      }
    }
    return undefined;
  }

  /** Throws the error when the sound that would have to be heard again is not all here, or it would be in vain. */
  function whoGoesOn({ lost, error }: { readonly lost: Attempt; readonly error: unknown }): readonly SttRoute[] {
    losses += 1;
    const isReplacement = losses > 1;
    const isSteady = lost.hasSaid || clock.nowMs() - lost.readyAt >= STEADY_MS;
    if (losses > MAX_LOSSES || (isReplacement && !isSteady) || !isAllHere()) throw error;
    const others = routes.filter((route) => route !== lost.route);
    // Credentials that were refused are refused again.
    const isRefused = isGatewayError(error) && error.code === 'upstream_auth_failed';
    const [next, ...rest] = isRefused ? others : [lost.route, ...others];
    if (!next) throw error;
    tell('a provider was lost in a transcription; what it had not answered is heard again', lost, error);
    return twice([next, ...rest]);
  }

  function isAllHere(): boolean {
    if (store.start() <= finalUntil) return true;
    if (model.stt.wordTimes === 'none') return false;
    if (!interim) return true;
    const [first] = interim.words ?? [];
    return first !== undefined && bytesOf(first.startSeconds) >= store.start();
  }

  function beginAttempt(route: SttRoute): Attempt {
    const reading = queue.read({ again: store.pieces(), pass });
    attempt = {
      route,
      stop: new AbortController(),
      reading,
      askedAt: clock.nowMs(),
      offsetSeconds: pcmSeconds(store.start(), format),
      readyAt: 0,
      hasSaid: false,
      isRecorded: false,
    };
    return attempt;
  }

  async function hear(asked: Attempt, cancelLate: () => void): Promise<void> {
    const { route, stop, reading } = asked;
    const scenario = start.scenarioFor(route);
    try {
      const events = route.stt.transcribe(
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
        if (isEnded) return;
        // A provider that forgets that `ready` comes first, and once, confuses nobody but itself.
        if (event.kind !== 'ready') {
          if (asked.readyAt > 0) receive(event, asked);
        } else if (asked.readyAt === 0) {
          cancelLate();
          becomeReady(asked);
        }
      }
    } finally {
      reading.stop();
      stop.abort();
    }
    if (isEnded || (asked.readyAt > 0 && queue.isFinished())) return;
    throw upstreamFailed(
      { retry: 'later', started: asked.readyAt > 0 ? 'maybe' : 'no' },
      'the provider ended the transcription by itself',
    );
  }

  function becomeReady(asked: Attempt): void {
    asked.readyAt = clock.nowMs();
    meter.servedBy(asked.route.providerId);
    if (firstReadyAt === 0) {
      firstReadyAt = asked.readyAt;
      if (isSessionPaid) tick();
    }
    start.ready();
  }

  function receive(event: Exclude<SttEvent, { kind: 'ready' }>, asked: Attempt): void {
    start.alive();
    if (event.kind === 'working') return;
    if (event.kind === 'usage') {
      reportedSeconds = asked.offsetSeconds + event.audioSeconds;
      return;
    }
    asked.hasSaid = true;
    const transcript = shifted(event.transcript, asked.offsetSeconds);
    if (!transcript.isFinal) interim = transcript;
    else {
      interim = undefined;
      const last = transcript.words?.at(-1);
      finalUntil = Math.max(finalUntil, Math.min(store.end(), last ? bytesOf(last.endSeconds) : store.end()));
      store.dropBefore(finalUntil);
    }
    start.said(transcript);
  }

  /** Sound is paid for before it goes on. */
  function pass(piece: Uint8Array): boolean | Promise<boolean> {
    store.add(piece);
    if (store.end() >= nextLook) dropUnneeded();
    return meter.use(usedMillis());
  }

  function dropUnneeded(): void {
    nextLook = store.end() + lookBytes;
    if (!interim && model.stt.wordTimes !== 'none') dropOld();
    store.dropBefore(store.end() - mostKept);
  }

  function dropOld(): void {
    const at = clock.nowMs();
    if (at - lastMarkAt < MARK_MS) return;
    lastMarkAt = at;
    let old = 0;
    for (; old < marks.length && at - (marks[old] ?? 0) >= QUIET_KEEP_MS; old += 2)
      store.dropBefore(marks[old + 1] ?? 0);
    if (old > 0) marks.splice(0, old);
    marks.push(at, store.end());
  }

  function usedMillis(): number {
    const audioMillis = pcmSeconds(store.end(), format) * 1_000;
    return isSessionPaid && firstReadyAt > 0 ? Math.max(audioMillis, clock.nowMs() - firstReadyAt) : audioMillis;
  }

  /** An upstream that counts the time of the session goes on counting while nobody speaks. */
  function tick(): void {
    after(METER_TICK_MS, () => {
      Promise.resolve(meter.use(usedMillis())).catch(giveUp);
      tick();
    });
  }

  /** Each attempt once: by how it ended, or by the end of the session. */
  function record(asked: Attempt, outcome: MeterAttempt['outcome']): void {
    if (asked.isRecorded) return;
    asked.isRecorded = true;
    meter.attempted({ provider: asked.route.providerId, outcome, ms: clock.nowMs() - asked.askedAt });
  }

  function tell(what: string, { route, readyAt }: Attempt, error: unknown): void {
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
        listen().then(resolve, reject);
      }),
    end() {
      if (isEnded) return;
      isEnded = true;
      store.dropBefore(store.end());
      if (!attempt) return;
      record(attempt, attempt.readyAt > 0 ? 'served' : 'refused');
      attempt.reading.stop();
      attempt.stop.abort();
    },
    interim: () => interim,
    providerId: () => attempt?.route.binding.providerId,
    audioSeconds: () => reportedSeconds ?? pcmSeconds(store.end(), format),
  };
}

/** Where there is only one provider it is asked a second time, in silence. */
const twice = (routes: readonly [SttRoute, ...SttRoute[]]): readonly SttRoute[] =>
  routes.length > 1 ? routes : [routes[0], routes[0]];

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
