import type { SpeechMessageJson } from '../contract/audio';
import { SocketError } from './errors';
import type { Patchbay } from './patchbay';
import { connect, MAX_RECONNECTS, type JsonSocket, type SocketOptions } from './socket';
import { backoffMs, wait } from './wait';

export interface SpeechOptions extends SocketOptions {
  readonly model: string;
  /** The name or the id of a voice. */
  readonly voice: string;
  /** Such as `pcm_24000`, the default; see the model for others. */
  readonly outputFormat?: string;
  readonly speed?: number;
  /** ISO 639-1. */
  readonly language?: string;
}

export interface Speech {
  /**
   * The audio of a text, as it is synthesised: raw samples in the output format. A chunk may end in the middle of a
   * sample. If the loop is left early or another text is spoken, this text is cancelled. Throws a SocketError. A
   * connection that breaks before the first audio is opened again.
   */
  speak(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;
  /** Cancels the text that is being spoken. Its loop ends. */
  cancel(): void;
  close(): void;
}

interface Text {
  readonly input: string;
  readonly chunks: Uint8Array<ArrayBuffer>[];
  /** The id in the messages of this text, once one has arrived. */
  contextId?: string;
  /** Whether no other text on its connection could still be refused when this text was sent. */
  isAlone?: boolean;
  /** Undefined while the text goes on; null when it has ended. */
  end?: SocketError | null;
  wake?: () => void;
}

const PATH = '/v1/audio/speech/ws';
/** The code of an error that leaves the connection open. */
const REFUSED = 400;

/** Opens a connection that speaks one text after another. Rejects with a SocketError. */
export async function openSpeech(client: Patchbay, options: SpeechOptions): Promise<Speech> {
  const { model, voice, outputFormat, speed, language } = options;
  let current: Text | undefined;
  /** The ids of cancelled texts. Their audio that still arrives is dropped. */
  const over = new Set<string>();
  let isClosed = false;
  /**
   * The number of texts sent over this connection that may still be refused. A refusal does not say which text it is
   * for.
   */
  let unanswered = 0;
  let socket: JsonSocket | undefined = await open();

  return {
    async *speak(input) {
      if (isClosed) throw wasClosed();
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
      finish(current, wasClosed());
      socket?.close();
    },
  };

  function open(): Promise<JsonSocket> {
    unanswered = 0;
    return connect(client, PATH, options, { onMessage: read, onClose: lose });
  }

  /** Sends the text, over a new connection if the previous one has ended. */
  async function begin(text: Text): Promise<void> {
    for (let attempt = 0; text.end === undefined; attempt += 1) {
      try {
        socket ??= await open();
        if (isClosed) return socket.close();
        text.isAlone = unanswered === 0;
        unanswered += 1;
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
    if (message.type === 'error') return readError(new SocketError(message.message, message.code));
    const text = current;
    if (!text || over.has(message.context_id)) return;
    if (text.contextId === undefined) over.clear();
    // The audio so far belongs to the previous text and was on its way when this text was sent.
    else if (text.contextId !== message.context_id) text.chunks.length = 0;
    text.contextId = message.context_id;
    // By now the gateway has dropped all earlier texts.
    unanswered = 1;
    if (message.type === 'done') {
      unanswered = 0;
      return finish(text, null);
    }
    text.chunks.push(Uint8Array.from(atob(message.data), (character) => character.charCodeAt(0)));
    text.wake?.();
  }

  /** Handles an error, which either refuses a text or is followed by the close of the connection. */
  function readError(error: SocketError): void {
    unanswered = Math.max(0, unanswered - 1);
    const text = current;
    if (!text || text.end !== undefined) return;
    if (text.isAlone || text.contextId !== undefined) return finish(text, error);
    // The error may concern an earlier text. On a new connection this text is the only one.
    if (error.code !== REFUSED) return; // The close that follows says whether to try again.
    socket?.close();
    socket = undefined;
    void begin(text);
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

const wasClosed = () => new SocketError('The connection was closed.', 1000);
