'use client';

import { useState } from 'react';

/**
 * A video player with the aspect ratio reserved before loading. `size` is `WIDTHxHEIGHT`; `height` is class names for
 * the maximum height.
 */
export function VideoPlayer({
  source,
  size,
  label,
  height = 'max-h-[52dvh]',
}: {
  readonly source: string;
  readonly size: string;
  readonly label: string;
  readonly height?: string;
}) {
  const [broken, setBroken] = useState(false);
  const [width, tall] = size.split('x');
  if (broken) {
    return (
      <p role="alert" className="rounded-lg border border-line bg-sunken px-4 py-10 text-center text-sm text-muted">
        The file could not be played. It may have expired. Try downloading it.
      </p>
    );
  }
  return (
    <video
      src={source}
      aria-label={label}
      controls
      // Muted, because the video starts by itself.
      muted
      loop
      playsInline
      preload="auto"
      ref={playUnlessStill}
      onError={() => setBroken(true)}
      style={{ aspectRatio: `${width} / ${tall}` }}
      className={`mx-auto ${height} w-full rounded-lg bg-black object-contain`}
    />
  );
}

/** Starts playback unless the user prefers reduced motion. */
function playUnlessStill(video: HTMLVideoElement | null): void {
  if (!video || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  video.play().catch(() => undefined);
}
