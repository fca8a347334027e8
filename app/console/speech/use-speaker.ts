'use client';

import { useEffect, useRef, useState, type RefObject } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { openSpeaker, type Speaker, type SpokenText } from '../../../public/audio/patchbay-audio';
import { socketPaths } from '../api-paths';
import { createMessageLog, type MessageLog } from './message-log';
import { getTicket } from './socket-ticket';
import { rateOf } from './speech-settings';
import { speechErrorOf, type SpeechError } from './speech-error';
import { peaksOf } from './waveform';

// Speaks texts over one connection and keeps the result of each. A new text interrupts the previous one.

/** Why a text was not played to its end. */
export type Cut = 'cancelled' | 'superseded' | 'failed';

export interface Utterance {
  readonly id: number;
  readonly text: SpokenText;
  readonly format: string;
  readonly sampleRateHz: number;
  /** The estimated cost when it was spoken, in dollars as a decimal text. */
  readonly estimate: string;
  readonly state: 'waiting' | 'speaking' | 'played' | Cut;
  /** The id of the text in the request log; present once audio has arrived. */
  readonly contextId?: string;
  readonly firstAudioMs?: number;
  /** The duration of the audio that has arrived. */
  readonly seconds: number;
  /** The seconds that had been played when it was interrupted. */
  readonly heardSeconds?: number;
  /** The audio, with samples from -1 to 1. This array and `peaks` are mutable: they grow while the text is spoken. */
  readonly chunks: Float32Array<ArrayBuffer>[];
  /** The loudest sample of each PEAK_SECONDS. */
  readonly peaks: number[];
}

/** The duration of one bar of the waveform. */
const PEAK_SECONDS = 0.02;
/** Older texts are dropped with their audio. */
const MAX_UTTERANCES = 8;

export interface SpeakerState {
  /** The spoken texts, newest first. */
  readonly utterances: readonly Utterance[];
  readonly isSpeaking: boolean;
  readonly error: SpeechError | undefined;
  readonly log: MessageLog;
  /** When something was last spoken, in Unix milliseconds; undefined while not connected. */
  readonly activeAt: RefObject<number | undefined>;
  speak(text: SpokenText, options: { readonly format: string; readonly estimate: string }): Promise<void>;
  cancel(): void;
  /** Returns how many seconds of the current text have been played. */
  heardSeconds(): number;
}

export function useSpeaker(mode: Mode): SpeakerState {
  const [utterances, setUtterances] = useState<readonly Utterance[]>([]);
  const [error, setError] = useState<SpeechError>();
  const [log] = useState(() => createMessageLog());
  const activeAt = useRef<number | undefined>(undefined);
  const open = useRef<{ readonly speaker: Promise<Speaker>; readonly format: string }>(undefined);
  const speaking = useRef<Speaker>(undefined);
  const current = useRef<Utterance>(undefined);
  const askedAt = useRef(0);
  const nextId = useRef(0);

  useEffect(
    () => () =>
      void open.current?.speaker.then(
        (speaker) => speaker.close(),
        () => undefined,
      ),
    [],
  );

  const update = (id: number, change: (utterance: Utterance) => Partial<Utterance>) =>
    setUtterances((all) => all.map((each) => (each.id === id ? { ...each, ...change(each) } : each)));

  function connect(format: string): Promise<Speaker> {
    if (open.current?.format === format) return open.current.speaker;
    void open.current?.speaker.then(
      (speaker) => speaker.close(),
      () => undefined,
    );
    log.start();
    const speaker = openSpeaker({
      url: socketPaths.speech,
      token: () => getTicket('speech', mode),
      outputFormat: format,
      onMessage: (message) => log.add(message),
      onChunk({ contextId, samples }) {
        activeAt.current = new Date().getTime();
        if (!current.current) return;
        const { id, chunks, peaks, sampleRateHz } = current.current;
        chunks.push(samples);
        peaks.push(...peaksOf(samples, Math.round(sampleRateHz * PEAK_SECONDS)));
        const sinceAskedMs = performance.now() - askedAt.current;
        update(id, ({ seconds, firstAudioMs = sinceAskedMs }) => ({
          state: 'speaking',
          contextId,
          seconds: seconds + samples.length / sampleRateHz,
          firstAudioMs,
        }));
      },
      // A pending `speak` reports the error itself; otherwise the next text opens a new connection.
      onEnd() {
        if (open.current?.speaker !== speaker) return;
        activeAt.current = undefined;
        open.current = undefined;
      },
    });
    open.current = { speaker, format };
    return speaker;
  }

  /** Interrupts the current text, and records how much of it was played. */
  function cutOff(cut: Cut): void {
    if (!current.current) return;
    const { id } = current.current;
    current.current = undefined;
    const heardSeconds = speaking.current?.heardSeconds() ?? 0;
    update(id, () => ({ state: cut, heardSeconds }));
  }

  return {
    utterances,
    isSpeaking: utterances.some(({ state }) => state === 'waiting' || state === 'speaking'),
    error,
    log,
    activeAt,
    heardSeconds: () => speaking.current?.heardSeconds() ?? 0,
    async speak(text, { format, estimate }) {
      cutOff('superseded');
      const utterance: Utterance = {
        id: nextId.current++,
        text,
        format,
        sampleRateHz: rateOf(format),
        estimate,
        state: 'waiting',
        seconds: 0,
        chunks: [],
        peaks: [],
      };
      const isCurrent = () => current.current?.id === utterance.id;
      current.current = utterance;
      setError(undefined);
      setUtterances((all) => [utterance, ...all].slice(0, MAX_UTTERANCES));
      askedAt.current = performance.now();
      try {
        const speaker = await connect(format);
        if (!isCurrent()) return;
        speaking.current = speaker;
        activeAt.current = new Date().getTime();
        const end = await speaker.speak(text);
        if (!isCurrent()) return;
        current.current = undefined;
        update(utterance.id, ({ seconds }) => ({ state: end, heardSeconds: seconds }));
      } catch (failure) {
        if (!isCurrent()) return;
        cutOff('failed');
        if (open.current?.format === format) open.current = undefined;
        setError(speechErrorOf(failure, 'Speech synthesis failed. Try again.'));
      }
    },
    cancel() {
      activeAt.current = new Date().getTime();
      cutOff('cancelled');
      speaking.current?.cancel();
    },
  };
}
