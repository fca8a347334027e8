'use client';

import { Download, Mic, Play, Scissors, Square } from 'lucide-react';
import type { Mode } from '../../../lib/domain/video';
import { wavFile } from '../../../lib/io/wav';
import { download } from '../components/download';
import { Button } from '../components/ui/button';
import { Chip } from '../components/ui/chip';
import { milliseconds } from '../components/ui/elapsed';
import { SessionCost } from './session-cost';
import type { Playback } from './use-playback';
import type { Utterance } from './use-speaker';
import { joined, toInt16 } from './wav';
import { Waveform } from './waveform';

/** One spoken text: its waveform, its figures, and whether it was interrupted. */
export function UtteranceCard({
  utterance,
  mode,
  playback,
  heardSeconds,
  onTranscribe,
}: {
  readonly utterance: Utterance;
  readonly mode: Mode;
  readonly playback: Playback;
  /** Returns how many seconds of the current text have been played. */
  heardSeconds(): number;
  onTranscribe(): void;
}) {
  const { id, text, state, seconds, sampleRateHz, chunks, peaks, firstAudioMs, contextId, format } = utterance;
  const isRunning = state === 'waiting' || state === 'speaking';
  const name = `utterance-${id}`;
  const isReplaying = playback.playing === name;
  return (
    <li className="flex flex-col gap-2 px-4 py-3 not-last:border-b not-last:border-line" data-testid="utterance">
      <div className="flex items-start justify-between gap-3">
        <p className="line-clamp-2 min-w-0 text-sm">{text.input}</p>
        <UtteranceState utterance={utterance} />
      </div>
      {seconds > 0 && (
        <Waveform
          peaks={peaks}
          seconds={seconds}
          isPlaying={isRunning}
          heardSeconds={isRunning ? heardSeconds : () => utterance.heardSeconds ?? seconds}
        />
      )}
      <p className="flex flex-wrap gap-x-3 gap-y-0.5 text-xs text-muted tabular-nums">
        <span className="font-mono text-2xs">
          {text.model} · {text.voice} · {format}
        </span>
        {firstAudioMs !== undefined && (
          <span>
            first audio after <span data-testid="first-sound">{milliseconds(firstAudioMs)}</span>
          </span>
        )}
        {seconds > 0 && <span>{seconds.toFixed(1)} s</span>}
        {contextId !== undefined && (
          <SessionCost search={contextId} hasEnded={!isRunning} estimate={utterance.estimate} mode={mode} />
        )}
      </p>
      {(state === 'cancelled' || state === 'superseded') && (
        <p className="text-xs text-muted" data-testid="cut-off">
          {contextId === undefined
            ? 'No audio had arrived.'
            : `Heard ${(utterance.heardSeconds ?? 0).toFixed(1)} s of the ${seconds.toFixed(1)} s that had arrived.`}
        </p>
      )}
      {!isRunning && seconds > 0 && (
        <div className="flex flex-wrap gap-2">
          <Button
            size="small"
            onClick={() => (isReplaying ? playback.stop() : playback.play(name, { pieces: chunks, sampleRateHz }))}
          >
            {isReplaying ? <Square size={12} aria-hidden="true" /> : <Play size={12} aria-hidden="true" />}
            {isReplaying ? 'Stop playing' : 'Play again'}
          </Button>
          <Button
            size="small"
            onClick={() => download('speech.wav', wavFile(toInt16(joined(chunks)), sampleRateHz), 'audio/wav')}
          >
            <Download size={13} aria-hidden="true" /> Download WAV
          </Button>
          <Button size="small" onClick={onTranscribe}>
            <Mic size={13} aria-hidden="true" /> Transcribe it
          </Button>
        </div>
      )}
    </li>
  );
}

function UtteranceState({ utterance: { state } }: { readonly utterance: Utterance }) {
  switch (state) {
    case 'waiting':
      return <Chip tone="info">Waiting</Chip>;
    case 'speaking':
      return <Chip tone="accent">Speaking</Chip>;
    case 'played':
      return <Chip tone="good">Played</Chip>;
    case 'cancelled':
      return (
        <Chip tone="neutral" icon={Scissors}>
          Cancelled
        </Chip>
      );
    case 'superseded':
      return (
        <Chip tone="warn" icon={Scissors}>
          Cut off by the next text
        </Chip>
      );
    case 'failed':
      return <Chip tone="bad">Failed</Chip>;
  }
}
