// Types of patchbay-audio.js.

/** An API key, or better a ticket; a function is asked for each socket. */
export type Token = string | (() => string | Promise<string>);

/** `code` is that of the socket's error message or close frame, or `microphone`. */
export interface AudioError extends Error {
  readonly code: number | 'microphone';
}

export interface Transcript {
  readonly text: string;
  /** False: replaced by what comes next. */
  readonly isFinal: boolean;
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[];
}

export interface Totals {
  readonly audioSeconds: number;
  readonly sessionSeconds: number;
}

export interface TranscribeOptions {
  /** Address of the socket, absolute or from the page; `https` counts as `wss`. */
  readonly url: string;
  readonly token: Token;
  readonly model: string;
  readonly language?: string;
  /** Absent: the microphone, which is asked for and switched off at the end. */
  readonly stream?: MediaStream;
  readonly workletUrl?: string;
  readonly onTranscript?: (transcript: Transcript) => void;
  /** How loud the last 50 ms were, from 0 to 1. */
  readonly onLevel?: (level: number) => void;
  readonly onEnd?: (end: { readonly error?: AudioError; readonly reason: string; readonly totals?: Totals }) => void;
}

export interface Transcription {
  readonly sessionId: string;
  stop(): Promise<Totals | undefined>;
  close(): void;
}

export function transcribe(options: TranscribeOptions): Promise<Transcription>;

export interface SpeakerOptions {
  readonly url: string;
  readonly token: Token;
  readonly sampleRate?: number;
  readonly onChunk?: (chunk: { readonly base64: string; readonly contextId: string }) => void;
  readonly onEnd?: (end: { readonly error?: AudioError; readonly reason: string }) => void;
}

export interface Speaker {
  speak(text: {
    readonly model: string;
    readonly input: string;
    readonly voice: string;
    readonly speed?: number;
    readonly language?: string;
  }): Promise<'played' | 'cancelled'>;
  cancel(): void;
  level(): number;
  close(): Promise<void>;
}

export function openSpeaker(options: SpeakerOptions): Promise<Speaker>;
