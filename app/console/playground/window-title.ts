'use client';

import { useEffect, useRef } from 'react';
import { isRunning } from '../components/video/shown-video';
import type { GalleryVideo } from './gallery-video';

const TITLE = 'Playground · Patchbay';

/** Shows the number of running videos in the tab title, and the result when one finishes in the background. */
export function useWindowTitle(
  videos: readonly GalleryVideo[] | undefined,
  onFinished: (video: GalleryVideo) => void,
): void {
  const before = useRef(new Set<string>());
  const finished = useRef<GalleryVideo | undefined>(undefined);

  useEffect(() => {
    if (!videos) return;
    const running = videos.filter(isRunning);
    for (const video of videos) {
      if (!before.current.has(video.id) || isRunning(video)) continue;
      if (document.hidden) finished.current = video;
      onFinished(video);
    }
    before.current = new Set(running.map(({ id }) => id));
    show(running.length, finished.current);
  }, [videos, onFinished]);

  useEffect(() => {
    const seen = () => {
      if (document.hidden) return;
      finished.current = undefined;
      show(before.current.size, undefined);
    };
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      showIcon(undefined);
    };
  }, []);
}

function show(running: number, finished: GalleryVideo | undefined): void {
  document.title = finished
    ? `${finished.status === 'completed' ? '✓ Video ready' : '✗ Video failed'} · Patchbay`
    : running > 0
      ? `(${running}) ${TITLE}`
      : TITLE;
  showIcon(finished ? (finished.status === 'completed' ? '#1f9d5b' : '#d43c3c') : running > 0 ? '#8f7cff' : undefined);
}

/** Sets the favicon with a dot of this colour; undefined restores the original. */
function showIcon(colour: string | undefined): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  const dot = colour && `<circle cx="25" cy="25" r="6.5" fill="${colour}" stroke="white" stroke-width="2"/>`;
  const cable =
    '<rect width="32" height="32" rx="8" fill="#16171d"/><g fill="none" stroke="white" stroke-width="2.2"><circle cx="9.5" cy="10" r="3.7"/><circle cx="22.5" cy="22" r="3.7"/></g><path d="M9.5 10c0 9 13 3 13 12" fill="none" stroke="#8f7cff" stroke-width="2.8" stroke-linecap="round"/>';
  const wanted = dot
    ? `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${cable}${dot}</svg>`)}`
    : '/icon.svg';
  if (link.getAttribute('href') !== wanted) link.setAttribute('href', wanted);
}
