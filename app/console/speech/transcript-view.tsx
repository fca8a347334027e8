'use client';

import { Square } from 'lucide-react';
import { Button } from '../components/ui/button';
import { CopyButton } from '../components/ui/copy-button';
import type { Playback } from './use-playback';
import type { FinalText, Phase } from './use-transcription';

/** Playback starts this long before a word, because word times are rarely exact. */
const LEAD_SECONDS = 0.1;

/**
 * The transcript. Interim text is grey and replaced in place; final text is black. A click on a word with times plays
 * the recording from there to the end of its final text.
 */
export function TranscriptView({
  phase,
  finals,
  interim,
  playback,
}: {
  readonly phase: Phase;
  readonly finals: readonly FinalText[];
  readonly interim: string;
  readonly playback: Playback;
}) {
  const hasTimes = finals.some(({ words }) => words.length > 0);
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <div className="min-h-40 px-4 py-3 text-base leading-7" data-testid="transcript">
        {finals.map((final) => (
          <span key={final.id} data-final>
            {final.words.length === 0
              ? `${final.text} `
              : final.words.map(({ word, start, end }, index) => (
                  <span key={index}>
                    <Word
                      word={word}
                      title={`${start.toFixed(2)} – ${end.toFixed(2)} s`}
                      isPlaying={playback.playing === `${final.id}/${index}`}
                      onPlay={() =>
                        playback.play(`${final.id}/${index}`, {
                          pieces: final.recording.frames,
                          sampleRateHz: final.recording.sampleRateHz,
                          fromSeconds: Math.max(0, start - LEAD_SECONDS),
                          toSeconds: (final.words.at(-1)?.end ?? end) + LEAD_SECONDS,
                        })
                      }
                    />{' '}
                  </span>
                ))}
          </span>
        ))}
        {interim && (
          <span data-interim className="text-muted">
            {interim}
          </span>
        )}
        {finals.length === 0 && !interim && (
          <span className="text-muted">{phase === 'listening' ? 'Listening…' : 'The transcript appears here.'}</span>
        )}
      </div>
      <output className="sr-only">{finals.at(-1)?.text}</output>
      {finals.length > 0 && (
        <div className="flex min-h-10 items-center justify-between gap-3 border-t border-line bg-sunken pr-1 pl-4 text-xs text-muted">
          <span>
            {hasTimes ? 'Each word shows its times, and plays the recording from there.' : 'Without word times.'}
          </span>
          <span className="flex items-center">
            {playback.playing !== undefined && (
              <Button variant="quiet" size="small" onClick={playback.stop}>
                <Square size={12} aria-hidden="true" /> Stop playing
              </Button>
            )}
            <CopyButton text={finals.map(({ text }) => text).join(' ')} label="Copy the transcript" />
          </span>
        </div>
      )}
    </div>
  );
}

function Word({
  word,
  title,
  isPlaying,
  onPlay,
}: {
  readonly word: string;
  readonly title: string;
  readonly isPlaying: boolean;
  onPlay(): void;
}) {
  return (
    <button
      type="button"
      title={title}
      data-word
      onClick={onPlay}
      className={isPlaying ? 'rounded-sm bg-accent-soft text-accent' : 'rounded-sm hover:bg-hover'}
    >
      {word}
    </button>
  );
}
