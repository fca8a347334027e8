import type { SocketMessage } from '../../../public/audio/patchbay-audio';

// A readable log of the messages of a socket. Most messages are audio, so audio is counted instead of shown, and
// successive audio is one entry. The log is outside of React state, because frames arrive twenty times a second and the
// log is mostly collapsed.

/** One message, or successive messages with audio. */
export interface LogEntry {
  readonly id: number;
  readonly direction: SocketMessage['direction'];
  /** Milliseconds since the log was started. */
  readonly atMs: number;
  readonly text: string;
  /** Present only for audio. */
  readonly audio?: { readonly messages: number; readonly bytes: number; readonly contextId: string | undefined };
}

export interface MessageLog {
  /** The entries since `start`, newest last. Every change creates a new array. */
  entries(): readonly LogEntry[];
  /** Whether older entries were dropped. */
  isCut(): boolean;
  /** Empties the log and restarts its clock. */
  start(): void;
  add(message: SocketMessage): void;
  /** Calls `onChange` after changes, at most once per animation frame. Returns a function that unsubscribes. */
  subscribe(onChange: () => void): () => void;
}

export const MAX_ENTRIES = 400;

export function createMessageLog(nowMs: () => number = () => performance.now()): MessageLog {
  const listeners = new Set<() => void>();
  let entries: readonly LogEntry[] = [];
  let isCut = false;
  let startedAt = nowMs();
  let nextId = 0;
  let frame: number | undefined;

  function changed(): void {
    if (listeners.size === 0 || frame !== undefined) return;
    frame = requestAnimationFrame(() => {
      frame = undefined;
      for (const listener of listeners) listener();
    });
  }

  return {
    entries: () => entries,
    isCut: () => isCut,
    start() {
      entries = [];
      isCut = false;
      startedAt = nowMs();
      changed();
    },
    add(message) {
      const { direction } = message;
      const audio = audioOf(message);
      const last = entries.at(-1);
      if (audio && last?.audio && last.direction === direction && last.audio.contextId === audio.contextId) {
        const sum = { ...audio, messages: last.audio.messages + 1, bytes: last.audio.bytes + audio.bytes };
        entries = [...entries.slice(0, -1), { ...last, audio: sum, text: audioText(sum) }];
      } else {
        const entry: LogEntry = {
          id: nextId++,
          direction,
          atMs: nowMs() - startedAt,
          ...(audio ? { audio, text: audioText(audio) } : { text: String(message.data) }),
        };
        isCut ||= entries.length === MAX_ENTRIES;
        entries = [...entries.slice(isCut ? -(MAX_ENTRIES - 1) : 0), entry];
      }
      changed();
    },
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

/** Returns the log as text: a line per entry with its time, direction and message. */
export function logText(entries: readonly LogEntry[]): string {
  return entries
    .map(({ atMs, direction, text }) => `+${(atMs / 1_000).toFixed(3)} s  ${direction.padEnd(8)}  ${text}`)
    .join('\n');
}

function audioOf({ data }: SocketMessage): NonNullable<LogEntry['audio']> | undefined {
  if (typeof data === 'number') return { messages: 1, bytes: data, contextId: undefined };
  if (!data.startsWith('{"type":"audio"')) return undefined;
  // Safe: the socket's own message.
  const { data: base64, context_id } = JSON.parse(data) as { data: string; context_id: string };
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return { messages: 1, bytes: (base64.length / 4) * 3 - padding, contextId: context_id };
}

function audioText({ messages, bytes, contextId }: NonNullable<LogEntry['audio']>): string {
  const size = `${bytes.toLocaleString('en')} bytes`;
  if (contextId === undefined)
    return `${messages.toLocaleString('en')} binary ${messages === 1 ? 'frame' : 'frames'}, ${size}`;
  return `${messages.toLocaleString('en')} × {"type":"audio", "data": ${size} of audio, "context_id":"${contextId}"}`;
}
