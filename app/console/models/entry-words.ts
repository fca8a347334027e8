import type { CatalogEntry } from '../../../lib/contract/models';
import type { VideoFacts } from '../../../lib/domain/video';
import { secondsWords } from '../components/video-form/seconds-words';

// Labels and formats of catalog facts, shared by filters, rows and pages.

export const audioWords: Readonly<Record<VideoFacts['audio'], string>> = {
  always: 'With audio',
  toggle: 'Optional audio',
  bgm: 'Background music',
  source: "Keeps the source's audio",
  none: 'Silent',
};

export const modalityWords: Readonly<Record<string, string>> = {
  text: 'Text',
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
};

export const stabilityWords: Readonly<Record<string, string>> = {
  stable: 'Stable',
  beta: 'Beta',
  experimental: 'Experimental',
};

/** Returns a short summary of what the model can do. */
export function limitWords(entry: CatalogEntry): string {
  const { video, messages, speech } = entry;
  if (video) {
    const last = video.resolutions.at(-1);
    return [
      secondsWords(video.seconds),
      last && (video.resolutions.length > 1 ? `up to ${last}` : last),
      audioWords[video.audio].toLowerCase(),
    ]
      .filter(Boolean)
      .join(' · ');
  }
  if (messages)
    return [
      `${tokenWords(messages.contextTokens)} context`,
      `${tokenWords(messages.maxOutputTokens)} out`,
      ...(messages.thinks ? ['thinking'] : []),
    ].join(' · ');
  if (!speech) return '';
  return [
    `${speech.languages} ${speech.languages === 1 ? 'language' : 'languages'}`,
    ...(speech.voices === undefined ? [] : [`${speech.voices}${speech.otherVoices ? '+' : ''} voices`]),
    `${Math.round(speech.maxSessionSeconds / 60)} min`,
  ].join(' · ');
}

/** Formats a number of tokens: `200K`, `1M`. */
export function tokenWords(tokens: number): string {
  if (tokens >= 1_000_000) return `${trimmed(tokens / 1_000_000)}M`;
  return tokens >= 1_000 ? `${trimmed(tokens / 1_000)}K` : String(tokens);
}

function trimmed(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0).replace(/\.0$/, '');
}

/** Returns the day of an ISO time: `2026-11-21`. */
export function dayWords(iso: string): string {
  return iso.slice(0, 10);
}
