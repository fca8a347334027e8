import type { Clock, Cancel } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { GatewayError } from '../../../domain/errors';
import type { PcmFormat } from '../../../domain/pcm';
import { isSameFormat, pcmSeconds } from '../../../domain/pcm';
import type { Call } from '../../../domain/call';
import type { SoundSource, SttEvent, SttProvider, SttRequest } from '../../../domain/transcription';
import { createCutter, createDivider, createReformatter, joinStages } from './pcm';
import type { SoundStage } from './pcm';
import { connectSocket, describeEnd } from '../http/socket';
import type { FailureCode, SocketAddress, UpstreamSocket } from '../http/socket';

// What every speech-to-text upstream on a socket has in common: connect, wait until it listens, send sound up while text
// comes down, end it so that the last words arrive, and leave no socket behind, however the session ends. What differs is
// a wire: one object for each session that turns sound into messages and messages into events.

export type WireEvent =
  | SttEvent
  /** The upstream has said everything: its own mark of the end. */
  | { readonly kind: 'ended' }
  /** The end, unless more comes within that time: for upstreams without a mark of it. */
  | { readonly kind: 'ending'; readonly withinMs: number }
  /** The upstream gave up; `detail` for the log, without its text. */
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string };

export interface SttWire {
  /** Sent as soon as the socket is open. */
  readonly opening?: readonly string[];
  /** Milliseconds after the opening without a refusal when the upstream takes sound; absent: `read` says when. */
  readonly readyAfterMs?: number;
  /** What the upstream wants to hear, and in which pieces. */
  readonly sound: {
    readonly format: PcmFormat;
    /** Absent: as they come. */
    readonly chunkMs?: number;
    readonly padLastToMs?: number;
    /** Longer pieces are divided. */
    readonly longestMs?: number;
    /** How many times faster than real time a backlog may be sent; absent: as fast as the line takes it. */
    readonly pace?: number;
  };
  /** One piece as a message; absent: the bytes themselves. */
  frame?(piece: Uint8Array): string | Uint8Array;
  /** Told after the last piece; the upstream then sends what is left and its mark of the end, or closes. */
  stop(): readonly string[];
  /** Told before the socket is closed early, so that the upstream stops counting; absent: what `stop` says. */
  leave?(): readonly string[];
  /** A parsed JSON message; of a kind that is not known: nothing. */
  read(message: unknown): readonly WireEvent[];
  /** Sent when nothing else went up during such a period. */
  readonly keepAlive?: { readonly everyMs: number; make(): string | Uint8Array };
  /** After the stop: how long its silence may last; absent: five seconds. */
  readonly quietMs?: number;
  /** What the upstream's own close codes mean; any other is an answer that cannot be used. */
  readonly closes?: Readonly<Record<number, FailureCode>>;
}

/** From the first packet of the connection until the upstream listens. */
const READY_MS = 5_000;
/** A line that takes nothing for so long is dead, whatever its socket says. */
const STALLED_MS = 10_000;
/** No upstream minds a piece of this length. */
const MAX_MS = 1_000;
/** After the stop: how long the upstream may be silent, and how long the end may take at most. */
const QUIET_MS = 5_000;
const END_MS = 10_000;

/** `prepare` judges nothing and may ask the upstream over HTTP first; it is called once for each session. */
export function transcribeOverSocket(
  prepare: (request: SttRequest, call: Call) => Promise<{ readonly address: SocketAddress; readonly wire: SttWire }>,
  deps: { readonly clock: Clock; readonly provider: string },
): SttProvider {
  return { transcribe: (audio, request, call) => transcribe(audio, request, call) };

  async function* transcribe(audio: SoundSource, request: SttRequest, call: Call): AsyncGenerator<SttEvent> {
    const session = createSession();
    const leave = () => session.leave();
    call.signal.addEventListener('abort', leave, { once: true });
    try {
      if (call.signal.aborted) return;
      const { address, wire } = await prepare(request, call);
      if (call.signal.aborted) return;
      for await (const event of session.run(address, wire, audio, request, call)) {
        if (call.signal.aborted) return;
        yield event;
      }
    } catch (error) {
      if (!call.signal.aborted) throw error;
    } finally {
      call.signal.removeEventListener('abort', leave);
      session.leave();
    }
  }

  function createSession() {
    const over = new AbortController();
    /** The same as its signal; asked fifty times a second. */
    let isOver = false;
    let endSource: (() => void) | undefined;
    const timers = new Set<Cancel>();
    let socket: UpstreamSocket | undefined;
    let wire: SttWire | undefined;
    let isReady = false;
    let isStopped = false;
    let hasSent = false;
    let cancelQuiet: Cancel | undefined;

    function after(ms: number, run: () => void): Cancel {
      const cancel = deps.clock.after(ms, () => {
        timers.delete(cancel);
        run();
      });
      timers.add(cancel);
      return () => {
        timers.delete(cancel);
        cancel();
      };
    }

    const failed = (code: FailureCode, detail: string): GatewayError =>
      upstreamFailed({ retry: 'elsewhere', started: isReady ? 'maybe' : 'no' }, `${deps.provider}: ${detail}`, code);

    /** Undefined: it is on its way. */
    function send(line: UpstreamSocket, message: string | Uint8Array): Promise<void> | undefined {
      hasSent = true;
      const sending = line.send(message);
      return sending && untilSent(line, sending);
    }

    async function untilSent(line: UpstreamSocket, sending: Promise<void>): Promise<void> {
      const cancel = after(STALLED_MS, () => line.fail(failed('upstream_timeout', 'The line takes nothing any more.')));
      await sending;
      cancel();
    }

    function keepAlive(line: UpstreamSocket, { everyMs, make }: NonNullable<SttWire['keepAlive']>): void {
      after(everyMs, () => {
        if (isStopped) return;
        if (!hasSent) void line.send(make());
        hasSent = false;
        keepAlive(line, { everyMs, make });
      });
    }

    async function staysQuiet(next: Promise<unknown>, ms: number): Promise<boolean> {
      if (ms === 0) return true;
      const heard = next.then(
        () => false,
        () => false,
      );
      return Promise.race([heard, deps.clock.sleep(ms, over.signal).then(() => true)]);
    }

    /** Not an error when it takes too long: what was said is said, and the caller asked for the end. */
    function waitForEnd(line: UpstreamSocket, ms: number = wire?.quietMs ?? QUIET_MS): void {
      cancelQuiet?.();
      cancelQuiet = after(ms, () => line.close());
    }

    async function sendSound(line: UpstreamSocket, told: SttWire, audio: SoundSource, from: PcmFormat): Promise<void> {
      const stage = stageOf(told.sound, from);
      const tooEarlyMs = createPace(told.sound.pace);
      const sendPiece = (piece: Uint8Array) => send(line, told.frame?.(piece) ?? piece);

      async function sendEach(pieces: readonly Uint8Array[]): Promise<void> {
        for (const piece of pieces) {
          const early = tooEarlyMs?.(pcmSeconds(piece.byteLength, told.sound.format)) ?? 0;
          if (early > 0) await deps.clock.sleep(early, over.signal);
          if (isOver) return;
          const sending = sendPiece(piece);
          if (sending) await sending;
          if (isOver) return;
        }
      }

      await flow(audio, (piece) => {
        if (isOver) return undefined;
        const pieces = stage.push(piece);
        if (pieces.length === 0) return undefined;
        // Nearly always there is one, and it goes at once.
        return pieces.length === 1 && pieces[0] && !tooEarlyMs ? sendPiece(pieces[0]) : sendEach(pieces);
      });
      if (isOver) return;
      await sendEach(stage.flush());
      if (isOver) return;
      isStopped = true;
      for (const message of told.stop()) await send(line, message);
      waitForEnd(line);
      after(END_MS, () => line.close());
    }

    /** As `SoundSource.flow`, of any source. */
    async function flow(audio: SoundSource, take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
      // By hand and not by `for await`: whoever leaves must be able to end a source that is being waited for, and nobody waits
      // for its answer, because a source that waits itself gives none.
      const source = audio[Symbol.asyncIterator]();
      endSource = () => void source.return?.().catch(() => {});
      if (audio.flow) return audio.flow(take);
      for (;;) {
        const next = await source.next();
        if (next.done || isOver) return;
        const taking = take(next.value);
        if (taking) await taking;
      }
    }

    /** How long a piece of so many seconds, the next one, has to wait; undefined: none has to. */
    function createPace(pace: number | undefined): ((seconds: number) => number) | undefined {
      if (pace === undefined) return undefined;
      const startedAt = deps.clock.nowMs();
      let sentSeconds = 0;
      return (seconds) => {
        // One second ahead is jitter, more is a backlog.
        const allowedSeconds = 1 + (pace * (deps.clock.nowMs() - startedAt)) / 1000;
        const early = ((sentSeconds - allowedSeconds) / pace) * 1000;
        sentSeconds += seconds;
        return early;
      };
    }

    async function* run(
      address: SocketAddress,
      told: SttWire,
      audio: SoundSource,
      request: SttRequest,
      call: Call,
    ): AsyncGenerator<SttEvent> {
      const line = connectSocket(address, deps);
      socket = line;
      wire = told;
      if (isOver) return line.close();
      const cancelReady = after(READY_MS, () => line.fail(failed('upstream_timeout', 'It was not ready in time.')));
      if (!(await line.opened)) return;
      for (const message of told.opening ?? []) await send(line, message);

      const becomeReady = (): SttEvent => {
        cancelReady();
        isReady = true;
        return { kind: 'ready' };
      };
      // After the caller has been told: no sound is pulled before.
      const listen = (): void => {
        if (told.keepAlive) keepAlive(line, told.keepAlive);
        sendSound(line, told, audio, request.format).catch((error: unknown) => line.fail(error));
      };
      const messages = line.messages[Symbol.asyncIterator]();
      let next = messages.next();
      // It may reject while nobody waits for it; whoever awaits it later still hears.
      next.catch(() => {});
      for (;;) {
        const isQuiet = !isReady && told.readyAfterMs !== undefined && (await staysQuiet(next, told.readyAfterMs));
        if (isOver) return;
        if (isQuiet) {
          yield becomeReady();
          listen();
          continue;
        }
        const result = await next;
        if (result.done) break;
        next = messages.next();
        next.catch(() => {});
        if (cancelQuiet) waitForEnd(line);
        const message = parseJson(result.value, call);
        for (const event of message === undefined ? [] : told.read(message)) {
          if (event.kind === 'ended' && isStopped) return;
          if (event.kind === 'ended') throw failed('upstream_invalid_response', 'It ended by itself.');
          if (event.kind === 'failed') throw failed(event.code, event.detail);
          if (event.kind === 'ending') waitForEnd(line, event.withinMs);
          else if (event.kind !== 'ready') yield event;
          else if (!isReady) {
            yield becomeReady();
            listen();
          }
        }
      }
      // After the stop a close is one more way to say that it is the end.
      if (!isStopped && !isOver)
        throw failed(told.closes?.[line.end?.code ?? 0] ?? 'upstream_invalid_response', describeEnd(line.end));
    }

    function leave(): void {
      if (isOver) return;
      isOver = true;
      over.abort();
      endSource?.();
      for (const cancel of timers) cancel();
      timers.clear();
      if (socket?.isOpen && wire && !isStopped)
        for (const message of wire.leave?.() ?? wire.stop()) void socket.send(message);
      socket?.close();
    }

    return { run, leave };
  }

  function parseJson(data: string | Buffer, call: Call): unknown {
    try {
      return JSON.parse(data.toString());
    } catch {
      call.log.warn('upstream message is not JSON', { provider: deps.provider, bytes: data.length });
      return undefined;
    }
  }
}

/** From the caller's sound to the pieces that the upstream wants. */
function stageOf({ format, chunkMs, padLastToMs, longestMs }: SttWire['sound'], from: PcmFormat): SoundStage {
  const cut =
    chunkMs === undefined
      ? createDivider(format, longestMs ?? MAX_MS)
      : createCutter(format, { chunkMs, ...(padLastToMs !== undefined && { padLastToMs }) });
  return isSameFormat(from, format) ? cut : joinStages(createReformatter(from, format), cut);
}

/** Bytes as the base64 that JSON upstreams take. */
export function base64Of(piece: Uint8Array): string {
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('base64');
}
