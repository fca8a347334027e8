'use client';

import { useEffect, useRef, useState, type RefObject } from 'react';
import type { PcmEncoding } from '../../../lib/domain/pcm';
import type { Mode } from '../../../lib/domain/video';
import {
  transcribe,
  type Totals,
  type Transcript,
  type TranscribeOptions,
  type Transcription,
} from '../../../public/audio/patchbay-audio';
import { socketPaths } from '../api-paths';
import type { Clip } from './clip';
import { createLatencyMeter, type Latencies } from './latency';
import type { LevelMeterHandle } from './level-meter';
import { createMessageLog, type MessageLog } from './message-log';
import { getTicket } from './socket-ticket';
import { speechErrorOf, type SpeechError } from './speech-error';

// Runs a transcription, from requesting the ticket to receiving the totals.

export type Phase = 'idle' | 'opening' | 'listening' | 'stopping';

/** The audio to transcribe. `clip` loads the recording when the session starts, at the sample rate of the session. */
export type Sound =
  | { readonly kind: 'microphone'; readonly deviceId?: string }
  | { readonly kind: 'clip'; clip(sampleRateHz: number): Promise<Clip>; readonly pace: number };

export type SessionOptions = Pick<TranscribeOptions, 'model' | 'language'> & {
  readonly encoding: PcmEncoding;
  readonly sampleRate: number;
};

/** The audio that a session has sent, for playback. Mutable, because twenty frames arrive per second. */
export interface Recording {
  readonly sampleRateHz: number;
  readonly frames: Int16Array<ArrayBuffer>[];
}

export interface FinalText extends Pick<Transcript, 'text' | 'words'> {
  readonly id: number;
  readonly recording: Recording;
}

export interface Figures extends Latencies {
  readonly audioMs: number;
  readonly sessionMs: number;
}

export interface TranscriptionState {
  readonly phase: Phase;
  readonly finals: readonly FinalText[];
  readonly interim: string;
  readonly figures: Figures;
  readonly totals: Totals | undefined;
  readonly sessionId: string | undefined;
  readonly error: SpeechError | undefined;
  /** The microphone is open but has been silent since the start. */
  readonly isSilent: boolean;
  readonly log: MessageLog;
  /** When speech was last sent, in Unix milliseconds; undefined while not connected. */
  readonly activeAt: RefObject<number | undefined>;
  start(sound: Sound, options: SessionOptions): Promise<void>;
  /** Starts another session with the same sound and options, and appends its text. */
  reconnect(): Promise<void>;
  stop(): Promise<void>;
}

const FRAME_MS = 50;
/** The figures are updated once per this many frames, so that the page does not render for every frame. */
const FIGURES_INTERVAL_FRAMES = 10;
const SILENT_FRAMES = 80;
const MAX_RECORDED_FRAMES = (20 * 60_000) / FRAME_MS;

const noFigures: Figures = { audioMs: 0, sessionMs: 0 };

export function useTranscription(mode: Mode, meter: RefObject<LevelMeterHandle | null>): TranscriptionState {
  const [phase, setPhase] = useState<Phase>('idle');
  const [finals, setFinals] = useState<readonly FinalText[]>([]);
  const [interim, setInterim] = useState('');
  const [figures, setFigures] = useState(noFigures);
  const [totals, setTotals] = useState<Totals>();
  const [sessionId, setSessionId] = useState<string>();
  const [error, setError] = useState<SpeechError>();
  const [isSilent, setIsSilent] = useState(false);
  const [log] = useState(() => createMessageLog());
  const activeAt = useRef<number | undefined>(undefined);
  const session = useRef<Transcription | undefined>(undefined);
  const last = useRef<{ readonly sound: Sound; readonly options: SessionOptions }>(undefined);
  const nextId = useRef(0);

  const isLeft = useRef(false);

  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      session.current?.close();
    };
  }, []);

  async function begin(sound: Sound, options: SessionOptions): Promise<void> {
    last.current = { sound, options };
    setPhase('opening');
    setInterim('');
    setFigures(noFigures);
    setTotals(undefined);
    setSessionId(undefined);
    setError(undefined);
    setIsSilent(false);
    log.start();
    meter.current?.clear();
    const recording: Recording = { sampleRateHz: options.sampleRate, frames: [] };
    const latency = createLatencyMeter(() => performance.now());
    let startedAt = performance.now();
    let sentFrames = 0;
    try {
      const clip = sound.kind === 'clip' ? await sound.clip(options.sampleRate) : undefined;
      const opened = await transcribe({
        url: socketPaths.transcriptions,
        token: () => getTicket('transcriptions', mode),
        ...options,
        ...(sound.kind === 'clip'
          ? { samples: clip?.samples ?? new Float32Array(0), pace: sound.pace }
          : sound.deviceId !== undefined && { deviceId: sound.deviceId }),
        onMessage: (message) => log.add(message),
        onLevel: (level) => meter.current?.push(level),
        onFrame({ samples, level }) {
          activeAt.current = new Date().getTime();
          latency.frame(level);
          if (recording.frames.length < MAX_RECORDED_FRAMES) recording.frames.push(samples);
          sentFrames += 1;
          if (sentFrames % FIGURES_INTERVAL_FRAMES !== 0) return;
          setIsSilent(sound.kind === 'microphone' && latency.silentFrames() >= SILENT_FRAMES);
          setFigures((known) => ({
            ...known,
            audioMs: sentFrames * FRAME_MS,
            sessionMs: performance.now() - startedAt,
          }));
        },
        onTranscript({ text, isFinal, words }) {
          if (isFinal) setFinals((before) => [...before, { id: nextId.current++, text, words, recording }]);
          setInterim(isFinal ? '' : text);
          const measured = latency.transcript(isFinal);
          setFigures((known) => ({ ...known, ...measured }));
        },
        onEnd({ error: failure, totals: counted, reason }) {
          activeAt.current = undefined;
          session.current = undefined;
          setPhase('idle');
          setInterim('');
          setIsSilent(false);
          if (failure) setError(speechErrorOf(failure, ''));
          else if (reason === 'idle_timeout')
            setError({ message: 'The session ended after 60 seconds without audio. Start again.', mayReconnect: true });
          else if (reason === 'max_duration')
            setError({
              message: 'The session reached the maximum duration of the model. Start again.',
              mayReconnect: true,
            });
          if (counted) {
            setTotals(counted);
            setFigures((known) => ({
              ...known,
              audioMs: counted.audioSeconds * 1_000,
              sessionMs: counted.sessionSeconds * 1_000,
            }));
          }
        },
      });
      // The page was left while the session was opened.
      if (isLeft.current) return opened.close();
      session.current = opened;
      startedAt = performance.now();
      setSessionId(opened.sessionId);
      setPhase((now) => (now === 'opening' ? 'listening' : now));
    } catch (failure) {
      setPhase('idle');
      setError(speechErrorOf(failure, 'Transcription failed. Try again.'));
    }
  }

  return {
    phase,
    finals,
    interim,
    figures,
    totals,
    sessionId,
    error,
    isSilent,
    log,
    activeAt,
    start(sound, options) {
      setFinals([]);
      return begin(sound, options);
    },
    async reconnect() {
      if (last.current) await begin(last.current.sound, last.current.options);
    },
    async stop() {
      setPhase('stopping');
      await session.current?.stop().catch(() => undefined);
    },
  };
}
