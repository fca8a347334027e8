import type { TranscriptionMessageJson } from '../contract/audio';
import { SocketError } from './errors';
import type { Patchbay } from './patchbay';
import { connect, MAX_RECONNECTS, type JsonSocket, type SocketOptions } from './socket';
import { backoffMs, wait } from './wait';

export interface TranscriptionOptions extends SocketOptions {
  readonly model: string;
  /** `pcm_s16le` (default), `pcm_f32le`, `pcm_mulaw` or `pcm_alaw`: raw mono samples. */
  readonly encoding?: string;
  /** In Hz. Default: 16000. */
  readonly sampleRate?: number;
  /** ISO 639-1. Default: the model decides. */
  readonly language?: string;
  readonly onTranscript: (transcript: Transcript) => void;
  /** Called when a lost connection is open again and the audio without a final text has been sent again. */
  readonly onReconnect?: () => void;
}

export interface Transcript {
  readonly text: string;
  /** If false, the text is replaced by the next one. */
  readonly isFinal: boolean;
  /** Seconds from the first sample. */
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

export interface Transcription {
  /**
   * Sends raw samples, in pieces of any length. An incomplete last sample waits for the next call, and more than 100 ms
   * is sent in several frames.
   */
  send(audio: Uint8Array<ArrayBuffer>): void;
  /** The number of bytes that were passed to `send` but have not been sent yet. */
  readonly bufferedBytes: number;
  /** Ends the audio. Resolves after the last text. */
  stop(): Promise<TranscriptionTotals>;
  /** Ends the transcription immediately. */
  close(): void;
  /** Resolves after `stop`. Rejects with a SocketError if the transcription ends without it. */
  readonly ended: Promise<TranscriptionTotals>;
}

export interface TranscriptionTotals {
  readonly audioSeconds: number;
}

const PATH = '/v1/audio/transcriptions/ws';
/** The maximum length of audio without a final text that is kept for a new connection. */
const MAX_KEPT_SECONDS = 60;
const FRAME_SECONDS = 0.1;
const SAMPLE_BYTES: Readonly<Record<string, number>> = { pcm_s16le: 2, pcm_f32le: 4, pcm_mulaw: 1, pcm_alaw: 1 };

/**
 * Transcribes audio as it is recorded. Resolves when the gateway is ready for audio; rejects with a SocketError. If the
 * connection is lost, a new one replaces it and gets the audio that has no final text yet, so no final text comes
 * twice.
 */
export async function openTranscription(client: Patchbay, options: TranscriptionOptions): Promise<Transcription> {
  const { model, encoding = 'pcm_s16le', sampleRate = 16_000, language } = options;
  const sampleBytes = SAMPLE_BYTES[encoding] ?? 2;
  const bytesPerSecond = sampleBytes * sampleRate;
  const frameBytes = sampleBytes * Math.round(sampleRate * FRAME_SECONDS);
  const kept = createKeptAudio(bytesPerSecond);
  const ended = deferred<TranscriptionTotals>();
  // A caller may ignore `ended`; a failure must then not become an unhandled rejection.
  ended.promise.catch(() => {});
  let socket: JsonSocket | undefined;
  let isListening = false;
  let isStopping = false;
  let isClosed = false;
  let reconnects = 0;
  /** Seconds of the session before the first sample of this connection. */
  let offset = 0;
  /** The bytes of an incomplete sample. */
  let rest = new Uint8Array();

  await open();
  return {
    send(audio) {
      const samples = takeSamples(audio);
      kept.add(samples);
      if (isListening) sendFrames(samples);
    },
    get bufferedBytes() {
      return socket?.bufferedBytes ?? 0;
    },
    stop() {
      isStopping = true;
      if (isListening) socket?.send({ type: 'stop' });
      return ended.promise;
    },
    close() {
      isClosed = true;
      socket?.close();
      ended.reject(new SocketError('The transcription was closed.', 1000));
    },
    ended: ended.promise,
  };

  /** Opens a connection. Resolves when the gateway is ready for audio. */
  async function open(): Promise<void> {
    const started = deferred<void>();
    isListening = false;
    socket = await connect(client, PATH, options, {
      onMessage: (message: TranscriptionMessageJson) => read(message, started.resolve),
      onClose(error, isBroken) {
        if (!isListening) return started.reject(error);
        isListening = false;
        void recover(error, isBroken);
      },
    });
    socket.send({
      type: 'configure',
      model,
      encoding,
      sample_rate: sampleRate,
      ...(language !== undefined && { language }),
    });
    await started.promise;
    if (isClosed) return socket.close();
    offset = kept.startSeconds;
    isListening = true;
    for (const samples of kept.pieces()) sendFrames(samples);
    if (isStopping) socket.send({ type: 'stop' });
  }

  /**
   * Returns the whole samples as a copy, because the caller may use its buffer again. The gateway refuses frames with a
   * part of a sample.
   */
  function takeSamples(audio: Uint8Array): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(rest.length + audio.length);
    bytes.set(rest);
    bytes.set(audio, rest.length);
    const end = bytes.length - (bytes.length % sampleBytes);
    rest = bytes.slice(end);
    return bytes.subarray(0, end);
  }

  function sendFrames(samples: Uint8Array<ArrayBuffer>): void {
    for (let at = 0; at < samples.length; at += frameBytes) socket?.sendBinary(samples.subarray(at, at + frameBytes));
  }

  function read(message: TranscriptionMessageJson, start: () => void): void {
    switch (message.type) {
      case 'session_started':
        return start();
      case 'transcript': {
        reconnects = 0;
        const words = (message.words ?? []).map(({ word, start: from, end }) => ({
          word,
          start: from + offset,
          end: end + offset,
        }));
        if (message.is_final) kept.dropUntil(words.at(-1)?.end ?? kept.endSeconds);
        return options.onTranscript({ text: message.text, isFinal: message.is_final, words });
      }
      case 'done':
        isListening = false;
        socket?.close();
        return ended.resolve({ audioSeconds: offset + message.audio_duration_seconds });
      case 'error':
      // The close that follows says whether the session ends.
    }
  }

  async function recover(error: SocketError, isBroken: boolean): Promise<void> {
    let last: unknown = error;
    while (isBroken && !isClosed && reconnects < (options.maxReconnects ?? MAX_RECONNECTS)) {
      await wait(backoffMs(reconnects));
      reconnects += 1;
      try {
        if (isClosed) return;
        await open();
        return options.onReconnect?.();
      } catch (thrown) {
        last = thrown;
      }
    }
    ended.reject(last as Error);
  }
}

interface KeptAudio {
  /** The time of the first kept byte, counted from the first sample. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Whole samples; they must not change later. */
  add(audio: Uint8Array<ArrayBuffer>): void;
  dropUntil(seconds: number): void;
  pieces(): readonly Uint8Array<ArrayBuffer>[];
}

function createKeptAudio(bytesPerSecond: number): KeptAudio {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let startBytes = 0;
  let size = 0;

  function drop(bytes: number): void {
    while (bytes > 0 && pieces[0]) {
      const first = pieces[0];
      if (first.length <= bytes) pieces = pieces.slice(1);
      else pieces[0] = first.subarray(bytes);
      const dropped = Math.min(first.length, bytes);
      startBytes += dropped;
      size -= dropped;
      bytes -= dropped;
    }
  }

  return {
    get startSeconds() {
      return startBytes / bytesPerSecond;
    },
    get endSeconds() {
      return (startBytes + size) / bytesPerSecond;
    },
    add(audio) {
      if (audio.length === 0) return;
      pieces.push(audio);
      size += audio.length;
      drop(size - MAX_KEPT_SECONDS * bytesPerSecond);
    },
    dropUntil(seconds) {
      // Whole samples, of at most 4 bytes.
      drop(4 * Math.floor((seconds * bytesPerSecond - startBytes) / 4));
    },
    pieces: () => pieces,
  };
}

function deferred<Value>() {
  let resolve!: (value: Value) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<Value>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
