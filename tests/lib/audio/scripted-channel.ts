import type { Channel, ChannelListener } from '../../../lib/audio/channel';

/** A channel whose client is the test. */
export interface ScriptedChannel extends Channel {
  /** The sent messages, parsed. */
  readonly sent: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly closedWith: { readonly code: number; readonly reason: string } | undefined;
  readonly isCut: boolean;
  readonly isPaused: boolean;
  readonly pings: number;
  /** Bytes that the client has not read. */
  unread: number;
  /** Answers every ping unless set to false. */
  answersPings: boolean;
  say(message: object | string | Uint8Array): void;
  disconnect(): void;
}

export function createScriptedChannel(): ScriptedChannel {
  let listener: ChannelListener | undefined;
  const early: (string | Uint8Array)[] = [];
  const state = {
    sent: [] as { type: string }[],
    closedWith: undefined as { code: number; reason: string } | undefined,
    isCut: false,
    isPaused: false,
    pings: 0,
    unread: 0,
    answersPings: true,
  };
  const isOpen = () => !state.isCut && !state.closedWith;
  return Object.assign(state, {
    listen(next: ChannelListener) {
      listener = next;
      for (const message of early.splice(0)) next.message(message);
    },
    send(text: string) {
      if (isOpen()) state.sent.push(JSON.parse(text) as { type: string });
    },
    unsentBytes: () => state.unread,
    pause() {
      state.isPaused = true;
    },
    resume() {
      state.isPaused = false;
    },
    ping() {
      state.pings += 1;
      if (state.answersPings) queueMicrotask(() => listener?.pong());
    },
    close(code: number, reason: string) {
      if (!isOpen()) return;
      state.closedWith = { code, reason };
      queueMicrotask(() => listener?.closed());
    },
    cut() {
      if (state.isCut) return;
      state.isCut = true;
      queueMicrotask(() => listener?.closed());
    },
    say(message: object | string | Uint8Array) {
      const data = typeof message === 'string' || message instanceof Uint8Array ? message : JSON.stringify(message);
      if (listener) listener.message(data);
      else early.push(data);
    },
    disconnect() {
      state.isCut = true;
      listener?.closed();
    },
  });
}
