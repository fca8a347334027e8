// Types of patchbay-audio.js.

/** An API key, or better a ticket; a function is asked for each socket. */
export type Token = string | (() => string | Promise<string>);

/** `code` is that of the socket's error message or close frame, or `microphone`. */
export interface AudioError extends Error {
  readonly code: number | 'microphone';
}

/** A message of the socket: its text, or the number of bytes of a binary one. */
export interface SocketMessage {
  readonly direction: 'sent' | 'received';
  readonly data: string | number;
}

export interface Transcript {
  readonly text: string;
  /** False: replaced by what comes next. */
  readonly isFinal: boolean;
  /** With times in seconds from the first sample. */
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

export interface Totals {
  readonly audioSeconds: number;
  readonly sessionSeconds: number;
}

/** 16-bit samples that were sent, at the session's sample rate; `level` is from 0 to 1. */
export interface SentFrame {
  readonly samples: Int16Array<ArrayBuffer>;
  readonly level: number;
}

export interface TranscribeOptions {
  /** URL of the socket, absolute or relative to the page; `https` counts as `wss`. */
  readonly url: string;
  readonly token: Token;
  readonly model: string;
  readonly language?: string;
  /** `pcm_s16le` unless given, or `pcm_f32le`, `pcm_mulaw`, `pcm_alaw`. */
  readonly encoding?: string;
  /** Hz, 16000 unless given. */
  readonly sampleRate?: number;
  /** Absent: the microphone, which is asked for and switched off at the end. */
  readonly stream?: MediaStream;
  /** Which microphone; absent: the browser's default. */
  readonly deviceId?: string;
  /** A recording instead of a microphone: samples from -1 to 1 at `sampleRate`. */
  readonly samples?: Float32Array;
  /** A recording is sent at this many times its own speed; 1 unless given. */
  readonly pace?: number;
  readonly workletUrl?: string;
  readonly onTranscript?: (transcript: Transcript) => void;
  /** How loud the last 50 ms were, from 0 to 1. */
  readonly onLevel?: (level: number) => void;
  readonly onFrame?: (frame: SentFrame) => void;
  readonly onMessage?: (message: SocketMessage) => void;
  readonly onEnd?: (end: { readonly error?: AudioError; readonly reason: string; readonly totals?: Totals }) => void;
}

export interface Transcription {
  readonly sessionId: string;
  stop(): Promise<Totals | undefined>;
  close(): void;
}

export function transcribe(options: TranscribeOptions): Promise<Transcription>;

/** One text to speak. */
export interface SpokenText {
  readonly model: string;
  readonly input: string;
  readonly voice: string;
  readonly speed?: number;
  readonly language?: string;
}

export interface SpeakerOptions {
  readonly url: string;
  readonly token: Token;
  readonly sampleRate?: number;
  /** Instead of `sampleRate`: `pcm_24000`, `pcm_f32le_48000`, `pcm_mulaw_8000` … */
  readonly outputFormat?: string;
  /** `samples`: the whole samples of the chunk, from -1 to 1. */
  readonly onChunk?: (chunk: {
    readonly base64: string;
    readonly contextId: string;
    readonly samples: Float32Array<ArrayBuffer>;
  }) => void;
  readonly onMessage?: (message: SocketMessage) => void;
  readonly onEnd?: (end: { readonly error?: AudioError; readonly reason: string }) => void;
}

export interface Speaker {
  speak(text: SpokenText): Promise<'played' | 'cancelled'>;
  cancel(): void;
  /** How much of the current text was heard so far. */
  heardSeconds(): number;
  level(): number;
  close(): Promise<void>;
}

export function openSpeaker(options: SpeakerOptions): Promise<Speaker>;

/** The sound of one text, without playing it: samples from -1 to 1 at `sampleRate`, 24000 unless given. */
export function synthesize(
  options: SpokenText & { readonly url: string; readonly token: Token; readonly sampleRate?: number },
): Promise<Float32Array<ArrayBuffer>>;
