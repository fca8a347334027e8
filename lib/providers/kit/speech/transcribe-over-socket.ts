import type { Clock, Cancel } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { GatewayError } from '../../../domain/errors';
import type { PcmFormat } from '../../../domain/pcm';
import { isSameFormat, pcmSeconds } from '../../../domain/pcm';
import type { Call } from '../../../domain/call';
import type { AudioSource, SttEvent, SttProvider, SttRequest } from '../../../domain/transcription';
import { createCutter, createDivider, createReformatter, joinStages } from './pcm';
import type { AudioStage } from './pcm';
import { connectSocket, describeEnd } from '../http/socket';
import type { FailureCode, SocketTarget, UpstreamSocket } from '../http/socket';

// The common part of all speech-to-text upstreams with a WebSocket: connect, wait until the upstream takes audio, send
// audio while text arrives, end so that the last words arrive, and close the socket however the session ends. The
// adapters differ in their wire: one object per session that turns audio into messages and messages into events.

export type WireEvent =
  | SttEvent
  /** The upstream's own end mark: it has sent everything. */
  | { readonly kind: 'ended' }
  /** The end, unless more arrives within that time: for upstreams without an end mark. */
  | { readonly kind: 'ending'; readonly withinMs: number }
  /** The upstream failed; `detail` is for the log and does not contain its text. */
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly detail: string };

export interface SttWire {
  /** Sent as soon as the socket is open. */
  readonly opening?: readonly string[];
  /** The upstream takes audio this many milliseconds after opening without an error; absent: `read` reports it. */
  readonly readyAfterMs?: number;
  /** The audio format and piece length that the upstream accepts. */
  readonly audio: {
    readonly format: PcmFormat;
    /** Absent: pieces are sent as they arrive. */
    readonly chunkMs?: number;
    readonly padLastToMs?: number;
    /** How many times faster than real time a backlog may be sent; absent: without a limit. */
    readonly pace?: number;
  };
  /** Converts one piece into a message; absent: the bytes are sent as they are. */
  frame?(piece: Uint8Array): string | Uint8Array;
  /** Returns the messages after the last piece; the upstream then sends the rest and its end mark, or closes. */
  stop(): readonly string[];
  /** Returns the messages before an early close, so that the upstream stops billing; absent: those of `stop`. */
  abort?(): readonly string[];
  /** Translates a parsed JSON message. Unknown messages yield nothing. */
  read(message: unknown): readonly WireEvent[];
  /** Sent if nothing else was sent during this period. */
  readonly keepAlive?: { readonly everyMs: number; make(): string | Uint8Array };
  /** Maximum silence after the stop; absent: five seconds. */
  readonly quietMs?: number;
  /** The meaning of the upstream's own close codes; any other code is an invalid response. */
  readonly closes?: Readonly<Record<number, FailureCode>>;
}

/** The time limit from the start of the connection until the upstream takes audio. */
const READY_MS = 5_000;
/** A connection that takes no data for this long is dead, whatever the state of its socket. */
const STALLED_MS = 10_000;
/** Longer pieces are divided: every upstream accepts pieces of this length. */
const MAX_PIECE_MS = 1_000;
/** After the stop: the maximum silence of the upstream, and the maximum total time. */
const QUIET_MS = 5_000;
const END_MS = 10_000;

/** `prepare` must not validate; it may call the upstream over HTTP first. It is called once per session. */
export function transcribeOverSocket(
  prepare: (request: SttRequest, call: Call) => Promise<{ readonly target: SocketTarget; readonly wire: SttWire }>,
  deps: { readonly clock: Clock; readonly provider: string },
): SttProvider {
  return { transcribe: (audio, request, call) => transcribe(audio, request, call) };

  async function* transcribe(audio: AudioSource, request: SttRequest, call: Call): AsyncGenerator<SttEvent> {
    const session = createSession();
    const abort = () => session.abort();
    call.signal.addEventListener('abort', abort, { once: true });
    try {
      if (call.signal.aborted) return;
      const { target, wire } = await prepare(request, call);
      if (call.signal.aborted) return;
      for await (const event of session.run(target, wire, audio, request, call)) {
        if (call.signal.aborted) return;
        yield event;
      }
    } catch (error) {
      if (!call.signal.aborted) throw error;
    } finally {
      call.signal.removeEventListener('abort', abort);
      session.abort();
    }
  }

  function createSession() {
    const over = new AbortController();
    /** The state of the signal as a plain variable, because it is read fifty times a second. */
    let isOver = false;
    let endSource: (() => void) | undefined;
    const timers = new Set<Cancel>();
    let socket: UpstreamSocket | undefined;
    let currentWire: SttWire | undefined;
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

    /** Returns undefined if the message was sent without backlog. */
    function send(line: UpstreamSocket, message: string | Uint8Array): Promise<void> | undefined {
      hasSent = true;
      const sending = line.send(message);
      return sending && untilSent(line, sending);
    }

    async function untilSent(line: UpstreamSocket, sending: Promise<void>): Promise<void> {
      const cancel = after(STALLED_MS, () =>
        line.fail(failed('upstream_timeout', 'The connection takes no more data.')),
      );
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

    /** Exceeding the time is not an error: all received text was delivered, and the client requested the end. */
    function waitForEnd(line: UpstreamSocket, ms: number = currentWire?.quietMs ?? QUIET_MS): void {
      cancelQuiet?.();
      cancelQuiet = after(ms, () => line.close());
    }

    async function sendAudio(line: UpstreamSocket, wire: SttWire, audio: AudioSource, from: PcmFormat): Promise<void> {
      const stage = stageOf(wire.audio, from);
      const tooEarlyMs = createPace(wire.audio.pace);
      const sendPiece = (piece: Uint8Array) => send(line, wire.frame?.(piece) ?? piece);

      async function sendEach(pieces: readonly Uint8Array[]): Promise<void> {
        for (const piece of pieces) {
          const early = tooEarlyMs?.(pcmSeconds(piece.byteLength, wire.audio.format)) ?? 0;
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
        // Nearly always there is one piece, and it is sent synchronously.
        return pieces.length === 1 && pieces[0] && !tooEarlyMs ? sendPiece(pieces[0]) : sendEach(pieces);
      });
      if (isOver) return;
      await sendEach(stage.flush());
      if (isOver) return;
      isStopped = true;
      for (const message of wire.stop()) await send(line, message);
      waitForEnd(line);
      after(END_MS, () => line.close());
    }

    /** Like `AudioSource.flow`, for any source. */
    async function flow(audio: AudioSource, take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
      // Iterated by hand rather than with `for await`: an abort must be able to end a source while its next piece is
      // awaited, and must not await `return`, because a waiting source does not settle it.
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

    /** Returns how long to wait before sending the next piece of this many seconds; undefined: not at all. */
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
      target: SocketTarget,
      wire: SttWire,
      audio: AudioSource,
      request: SttRequest,
      call: Call,
    ): AsyncGenerator<SttEvent> {
      const line = connectSocket(target, deps);
      socket = line;
      currentWire = wire;
      if (isOver) return line.close();
      const cancelReady = after(READY_MS, () => line.fail(failed('upstream_timeout', 'It was not ready in time.')));
      if (!(await line.opened)) return;
      for (const message of wire.opening ?? []) await send(line, message);

      const becomeReady = (): SttEvent => {
        cancelReady();
        isReady = true;
        return { kind: 'ready' };
      };
      // Audio is pulled only after `ready` was delivered.
      const listen = (): void => {
        if (wire.keepAlive) keepAlive(line, wire.keepAlive);
        sendAudio(line, wire, audio, request.format).catch((error: unknown) => line.fail(error));
      };
      const messages = line.messages[Symbol.asyncIterator]();
      let next = messages.next();
      // It may reject before it is awaited; a later await still gets the rejection.
      next.catch(() => {});
      for (;;) {
        const isQuiet = !isReady && wire.readyAfterMs !== undefined && (await staysQuiet(next, wire.readyAfterMs));
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
        for (const event of message === undefined ? [] : wire.read(message)) {
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
      // After the stop a close also marks the end.
      if (!isStopped && !isOver)
        throw failed(wire.closes?.[line.end?.code ?? 0] ?? 'upstream_invalid_response', describeEnd(line.end));
    }

    function abort(): void {
      if (isOver) return;
      isOver = true;
      over.abort();
      endSource?.();
      for (const cancel of timers) cancel();
      timers.clear();
      if (socket?.isOpen && currentWire && !isStopped)
        for (const message of currentWire.abort?.() ?? currentWire.stop()) void socket.send(message);
      socket?.close();
    }

    return { run, abort };
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

/** Creates the stage from the client's audio to the pieces that the upstream accepts. */
function stageOf({ format, chunkMs, padLastToMs }: SttWire['audio'], from: PcmFormat): AudioStage {
  const cut =
    chunkMs === undefined
      ? createDivider(format, MAX_PIECE_MS)
      : createCutter(format, { chunkMs, ...(padLastToMs !== undefined && { padLastToMs }) });
  return isSameFormat(from, format) ? cut : joinStages(createReformatter(from, format), cut);
}

/** Encodes bytes in base64 for JSON upstreams. */
export function base64Of(piece: Uint8Array): string {
  return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('base64');
}
