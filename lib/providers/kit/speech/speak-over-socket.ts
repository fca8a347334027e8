import type { Clock } from '../../../domain/clock';
import { upstreamFailed } from '../../../domain/errors';
import type { GatewayError } from '../../../domain/errors';
import { linkSignals } from '../../../io/linked-signal';
import type { Call } from '../../../domain/call';
import { watchSilence } from '../../../io/silence-timer';
import type { SpeechChunk, SpeechRequest, TtsConnection, TtsProvider } from '../../../domain/speech';
import { connectSocket, describeEnd } from '../http/socket';
import type { FailureCode, SocketTarget, UpstreamSocket } from '../http/socket';

// The common part of all text-to-speech upstreams with a WebSocket: one socket per session, generations identified by
// their contexts, late frames of a cancelled generation dropped, and a new socket if the old one was closed in between.

export type SpeechWireEvent =
  | { readonly kind: 'audio'; readonly contextId: string; readonly base64: string }
  | { readonly kind: 'done'; readonly contextId: string }
  /**
   * Without a context, the failure concerns all running generations. A GatewayError is the client's error (an unknown
   * voice); the connection stays open.
   */
  | {
      readonly kind: 'failed';
      readonly contextId?: string;
      readonly error: GatewayError | { readonly code: FailureCode; readonly detail: string };
    };

/**
 * The adapter's protocol for one socket. One object per socket, because some upstreams do not name the context of their
 * audio.
 */
export interface SpeechWire {
  /** Returns the messages that start a generation. */
  begin(request: SpeechRequest, voice: string): readonly string[];
  cancel(contextId: string): readonly string[];
  /** Translates a message: parsed JSON, or the bytes of a binary message. Unknown messages yield nothing. */
  read(message: unknown): readonly SpeechWireEvent[];
  /** Whether the socket cannot take another text while the current ones run; the next text then gets its own socket. */
  isFull?(): boolean;
}

export interface SpeechDialect {
  readonly provider: string;
  /** Returns the upstream's voice id. Rejects with `unsupported_value` for `voice`. */
  findVoice(request: SpeechRequest, call: Call): Promise<string> | string;
  /** The URL and headers of the socket for this request; requests with the same URL share the socket. */
  target(request: SpeechRequest, voice: string): SocketTarget;
  /** The target that serves every request, if there is one: its socket is opened before the first text. */
  readonly firstTarget?: SocketTarget;
  makeWire(): SpeechWire;
  /** Sent before the socket is closed. */
  readonly farewell?: string;
  readonly closes?: Readonly<Record<number, FailureCode>>;
}

const READY_MS = 5_000;
/** Maximum silence: from the text to the first audio, and between two pieces. */
const SOUND_MS = 5_000;
/** Unread audio at which the upstream is paused, in characters of base64. */
const WAITING_HIGH = 1024 * 1024;

interface Line {
  readonly url: string;
  readonly socket: UpstreamSocket;
  readonly wire: SpeechWire;
  readonly generations: Map<string, Generation>;
  /** Whether the socket has opened before; if it has and is not open now, it is closing. */
  hasOpened: boolean;
}

interface Generation {
  readonly waiting: SpeechChunk[];
  waitingLength: number;
  hasHeard: boolean;
  end?: { readonly error?: unknown };
  wake?: () => void;
  /** Resumes the reader of the socket. */
  release?: () => void;
}

/** Creates a text-to-speech provider whose vendor speaks over a WebSocket with this dialect. */
export function speakOverSocket(dialect: SpeechDialect, deps: { readonly clock: Clock }): TtsProvider {
  return { open: (call) => openConnection(dialect, deps, call) };
}

function openConnection(dialect: SpeechDialect, deps: { readonly clock: Clock }, call: Call): TtsConnection {
  let line: Line | undefined;
  let isClosed = false;

  // Invalid credentials fail before any work.
  const failed = (
    code: FailureCode,
    detail: string,
    started: 'no' | 'maybe' = code === 'upstream_auth_failed' ? 'no' : 'maybe',
  ) => upstreamFailed({ retry: 'elsewhere', started }, `${dialect.provider}: ${detail}`, code);

  function connect(target: SocketTarget): Line {
    const opened: Line = {
      url: target.url,
      socket: connectSocket(target, deps),
      wire: dialect.makeWire(),
      generations: new Map(),
      hasOpened: false,
    };
    const cancel = deps.clock.after(READY_MS, () =>
      opened.socket.fail(failed('upstream_timeout', 'It could not be reached in time.', 'no')),
    );
    const settle = (isOpen: boolean) => {
      opened.hasOpened = isOpen;
      cancel();
    };
    opened.socket.opened.then(settle, () => settle(false));
    void readLine(opened);
    line = opened;
    return opened;
  }

  /** Returns a socket for that target: the open one, or a new one in its place. */
  function findLine(target: SocketTarget): Line {
    if (line && line.url === target.url && (line.socket.isOpen || !line.hasOpened) && !line.wire.isFull?.())
      return line;
    if (line) drop(line);
    return connect(target);
  }

  function drop(dropped: Line): void {
    if (line === dropped) line = undefined;
    if (dialect.farewell !== undefined) void dropped.socket.send(dialect.farewell);
    dropped.socket.close();
  }

  async function readLine(read: Line): Promise<void> {
    try {
      await read.socket.flow((data) => {
        const isPlain = typeof data !== 'string' || !data.includes('\\');
        let room: Promise<void> | undefined;
        for (const event of read.wire.read(parseMessage(data))) room = deliver(read, event, isPlain) ?? room;
        return room;
      });
      endAll(
        read,
        failed(
          dialect.closes?.[read.socket.end?.code ?? 0] ?? 'upstream_invalid_response',
          describeEnd(read.socket.end),
        ),
      );
    } catch (error) {
      endAll(read, error);
    } finally {
      if (line === read) line = undefined;
    }
  }

  function endAll(read: Line, error: unknown): void {
    for (const generation of read.generations.values()) end(generation, isClosed ? undefined : error);
    read.generations.clear();
  }

  function end(generation: Generation, error?: unknown): void {
    generation.end ??= error === undefined ? {} : { error };
    generation.wake?.();
    generation.release?.();
  }

  /** Returns undefined if there is room for more. `isPlain`: the upstream's message contained no escapes. */
  function deliver(read: Line, event: SpeechWireEvent, isPlain: boolean): Promise<void> | undefined {
    if (event.kind === 'failed' && event.contextId === undefined) {
      const { error } = event;
      endAll(read, error instanceof Error ? error : failed(error.code, error.detail));
      drop(read);
      return undefined;
    }
    // Audio without a running generation is late and is dropped.
    const generation = read.generations.get(event.contextId ?? '');
    if (!generation || generation.end) return undefined;
    generation.hasHeard = true;
    if (event.kind === 'failed') {
      end(generation, event.error instanceof Error ? event.error : failed(event.error.code, event.error.detail));
    } else if (event.kind === 'done') {
      end(generation);
    } else if (!isBase64(event.base64, isPlain)) {
      end(generation, failed('upstream_invalid_response', 'It sent audio that is not base64.'));
    } else if (event.base64 !== '') {
      generation.waiting.push({ base64: event.base64 });
      generation.waitingLength += event.base64.length;
      generation.wake?.();
      if (generation.waitingLength > WAITING_HIGH) {
        return new Promise((resolve) => {
          generation.release = resolve;
        });
      }
    }
    return undefined;
  }

  function parseMessage(data: string | Buffer): unknown {
    if (typeof data !== 'string') return data;
    try {
      return JSON.parse(data);
    } catch {
      call.log.warn('upstream message is not JSON', { provider: dialect.provider, bytes: data.length });
      return undefined;
    }
  }

  async function* speak(request: SpeechRequest, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const isOver = () => isClosed || signal.aborted || call.signal.aborted;
    if (isOver()) return;
    const voice = await untilOver(findVoice(request, signal), isOver);
    if (voice === undefined || isOver()) return;
    const target = dialect.target(request, voice);
    // A single generator: each nested one would cost several microtasks per piece of audio.
    for (;;) {
      const used = findLine(target);
      const wasOpen = used.socket.isOpen;
      const generation: Generation = { waiting: [], waitingLength: 0, hasHeard: false };
      const onAbort = () => end(generation);
      signal.addEventListener('abort', onAbort, { once: true });
      used.generations.set(request.contextId, generation);
      let hasBegun = false;
      const watch = watchSilence(deps.clock, SOUND_MS, () => {
        end(generation, failed('upstream_timeout', 'There was no audio in time.'));
        drop(used);
      });
      try {
        const isOpen = await used.socket.opened.catch(() => false);
        if (isOver()) return;
        if (isOpen && !generation.end) {
          hasBegun = true;
          for (const message of used.wire.begin(request, voice)) void used.socket.send(message);
          watch.wait();
        }
        for (;;) {
          const chunk = generation.waiting.shift();
          if (isOver()) return;
          if (chunk) {
            generation.waitingLength -= chunk.base64.length;
            if (generation.waitingLength < WAITING_HIGH) generation.release?.();
            // The silence timeout runs only while we wait for audio, not while the client reads.
            watch.rest();
            yield chunk;
          } else if (generation.end) {
            const { error } = generation.end;
            if (error === undefined) return;
            // The upstream closed the idle socket, which is noticed only now: the text was not received, so it is sent
            // again on a new socket. A failure of a new socket is the upstream's error.
            if (!wasOpen || generation.hasHeard || used.socket.isOpen) throw error;
            break;
          } else {
            watch.wait();
            await new Promise<void>((resolve) => {
              generation.wake = resolve;
            });
          }
        }
      } finally {
        watch.end();
        signal.removeEventListener('abort', onAbort);
        used.generations.delete(request.contextId);
        generation.release?.();
        const isRunning = hasBegun && (generation.end === undefined || signal.aborted);
        if (isRunning && used.socket.isOpen)
          for (const message of used.wire.cancel(request.contextId)) void used.socket.send(message);
      }
    }
  }

  async function findVoice(request: SpeechRequest, signal: AbortSignal): Promise<string> {
    const either = linkSignals(signal, call.signal);
    try {
      return await dialect.findVoice(request, { log: call.log, signal: either.signal });
    } finally {
      either.release();
    }
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    call.signal.removeEventListener('abort', close);
    if (!line) return;
    endAll(line, undefined);
    drop(line);
  }

  call.signal.addEventListener('abort', close, { once: true });
  if (call.signal.aborted) close();
  else if (dialect.firstTarget) connect(dialect.firstTarget);
  return { speak, close };
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** An error page instead of audio is recognised by its beginning. */
const LOOK_AT = 64;

/**
 * Audio is concatenated into our JSON, so it must not contain anything that needs escaping. A string parsed from JSON
 * without a backslash cannot; then the string, which arrives ten times a second, is not scanned completely.
 */
function isBase64(text: string, isPlain: boolean): boolean {
  return BASE64.test(isPlain ? text.slice(0, LOOK_AT) : text);
}

/** Resolves with the value, or with undefined if it failed after the generation was over. */
async function untilOver<T>(value: Promise<T>, isOver: () => boolean): Promise<T | undefined> {
  try {
    return await value;
  } catch (error) {
    if (isOver()) return undefined;
    throw error;
  }
}
