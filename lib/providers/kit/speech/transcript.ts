import type { Transcript, Word } from '../../../domain/transcription';

// Normalizes upstream transcripts: trimmed text, times with millisecond precision that never decrease.

/** Returns a transcript; undefined if the text is blank, which many upstreams send during silence. */
export function makeTranscript(text: string, isFinal: boolean, words?: readonly Word[]): Transcript | undefined {
  const stripped = text.trim();
  if (stripped === '') return undefined;
  const timedWords = words && tidyWords(words);
  return { text: stripped, isFinal, ...(timedWords && timedWords.length > 0 && { words: timedWords }) };
}

function tidyWords(words: readonly Word[]): readonly Word[] {
  let latest = 0;
  const tidy: Word[] = [];
  for (const { word, startSeconds, endSeconds } of words) {
    const stripped = word.trim();
    if (stripped === '') continue;
    latest = Math.max(latest, thousandths(startSeconds));
    tidy.push({ word: stripped, startSeconds: latest, endSeconds: Math.max(latest, thousandths(endSeconds)) });
  }
  return tidy;
}

const thousandths = (seconds: number) => Math.round(Math.max(0, seconds) * 1000) / 1000;
