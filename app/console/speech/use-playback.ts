'use client';

import { useEffect, useRef, useState } from 'react';

export interface PlayedSound {
  /** Played one after another: samples from -1 to 1, or 16-bit samples. */
  readonly pieces: readonly (Float32Array | Int16Array)[];
  readonly sampleRateHz: number;
  readonly fromSeconds?: number;
  /** Where to stop; absent to play to the end. */
  readonly toSeconds?: number;
}

/** Plays recorded audio, one recording at a time. */
export interface Playback {
  /** The name that was given to `play`; undefined when nothing plays. */
  readonly playing: string | undefined;
  play(name: string, sound: PlayedSound): void;
  stop(): void;
}

export function usePlayback(): Playback {
  const [playing, setPlaying] = useState<string>();
  const context = useRef<AudioContext>(undefined);
  const stop = () => {
    void context.current?.close();
    context.current = undefined;
    setPlaying(undefined);
  };
  useEffect(() => () => void context.current?.close(), []);
  return {
    playing,
    stop,
    play(name, { pieces, sampleRateHz, fromSeconds = 0, toSeconds }) {
      stop();
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      if (length === 0) return;
      const own = new AudioContext();
      context.current = own;
      const source = own.createBufferSource();
      source.buffer = new AudioBuffer({ length, sampleRate: sampleRateHz });
      const channel = source.buffer.getChannelData(0);
      let at = 0;
      for (const piece of pieces) {
        if (piece instanceof Float32Array) channel.set(piece, at);
        else for (let index = 0; index < piece.length; index++) channel[at + index] = (piece[index] ?? 0) / 0x8000;
        at += piece.length;
      }
      source.connect(own.destination);
      source.addEventListener('ended', () => context.current === own && stop());
      source.start(0, fromSeconds, ...(toSeconds === undefined ? [] : [Math.max(0.05, toSeconds - fromSeconds)]));
      setPlaying(name);
    },
  };
}
