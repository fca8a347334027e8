import type { SpeechMessageJson } from '../contract/audio';
import { SocketError } from './errors';
import type { Patchbay } from './patchbay';
import { connect, MAX_RECONNECTS, type JsonSocket, type SocketOptions } from './socket';
import { backoffMs, wait } from './wait';

export interface SpeechOptions extends SocketOptions {
  readonly model: string;
  /** The name or the id of a voice. */
  readonly voice: string;
  /** `pcm_24000` unless given; see the model. */
  readonly outputFormat?: string;
  readonly speed?: number;
  /** ISO 639-1. */
  readonly language?: string;
}

export interface Speech {
  /**
   * The audio of a text, as it is synthesised: raw samples in the output format. A chunk may end in the middle of a
   * sample. Leaving the loop cancels the text; so does the next text. Throws a SocketError. A connection that breaks
   * before the first audio is opened again.
   */
  speak(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
  /** Stops the text that is being spoken: its loop ends. */
  cancel(): void;
  close(): void;
}

interface Text {
  readonly input: string;
  readonly chunks: Uint8Array<ArrayBuffer>[];
  /** Of the messages of this text, once one has arrived. */
  contextId?: string;
  /** undefined: it goes on; null: it has ended. */
  end?: SocketError | null;
  wake?: () => void;
}

const PATH = '/v1/audio/speech/ws';

/** Opens a connection that speaks one text after another. Rejects with a SocketError. */
export async function openSpeech(client: Patchbay, options: SpeechOptions): Promise<Speech> {
  const { model, voice, outputFormat, speed, language } = options;
  let current: Text | undefined;
  /** Of texts that were cancelled: what is still on its way is left out. */
  const over = new Set<string>();
  let isClosed = false;
  let socket: JsonSocket | undefined = await open();

  return {
    async *speak(input) {
      finish(current, null);
      const text: Text = { input, chunks: [] };
      current = text;
      await begin(text);
      try {
        for (;;) {
          const chunk = text.chunks.shift();
          if (chunk) yield chunk;
          else if (text.end) throw text.end;
          else if (text.end === null) return;
          else await new Promise<void>((resolve) => (text.wake = resolve));
        }
      } finally {
        if (current === text && text.end === undefined) cancel();
      }
    },
    cancel,
    close() {
      isClosed = true;
      finish(current, new SocketError('The connection was closed.', 1000));
      socket?.close();
    },
  };

  function open(): Promise<JsonSocket> {
    return connect(client, PATH, options, { onMessage: read, onClose: lose });
  }

  /** Sends the text, over another connection if that of before has ended. */
  async function begin(text: Text): Promise<void> {
    for (let attempt = 0; text.end === undefined; attempt += 1) {
      try {
        socket ??= await open();
        return socket.send({
          type: 'tts',
          model,
          input: text.input,
          voice,
          ...(outputFormat !== undefined && { output_format: outputFormat }),
          ...(speed !== undefined && { speed }),
          ...(language !== undefined && { language }),
        });
      } catch (error) {
        if (isClosed || attempt >= (options.maxReconnects ?? MAX_RECONNECTS)) return finish(text, error as SocketError);
        await wait(backoffMs(attempt));
      }
    }
  }

  function read(message: SpeechMessageJson): void {
    const text = current;
    // An error closes the connection, or refuses the text that was sent last.
    if (message.type === 'error') return finish(text, new SocketError(message.message, message.code));
    if (!text || over.has(message.context_id)) return;
    if (text.contextId === undefined) over.clear();
    text.contextId = message.context_id;
    if (message.type === 'done') return finish(text, null);
    text.chunks.push(Uint8Array.from(atob(message.data), (character) => character.charCodeAt(0)));
    text.wake?.();
  }

  function lose(error: SocketError, isBroken: boolean): void {
    socket = undefined;
    const text = current;
    if (!text || text.end !== undefined) return;
    if (isBroken && !isClosed && text.contextId === undefined) void begin(text);
    else finish(text, error);
  }

  function cancel(): void {
    if (current?.end === undefined) socket?.send({ type: 'cancel' });
    finish(current, null);
  }

  function finish(text: Text | undefined, end: SocketError | null): void {
    if (!text || text.end !== undefined) return;
    text.end = end;
    if (text.contextId !== undefined) over.add(text.contextId);
    text.wake?.();
  }
}
