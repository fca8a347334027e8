'use client';

import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react';
import { classNames } from './class-names';

/** Accepts a dropped or picked file. `accept` is as for a file input; `label` is the accessible name. */
export function Dropzone({
  label,
  accept,
  onFile,
  className,
  children,
}: {
  readonly label: string;
  readonly accept: string;
  onFile(file: File): void;
  readonly className?: string;
  readonly children: ReactNode;
}) {
  const id = useId();
  const [over, setOver] = useState(false);
  const place = useRef<HTMLLabelElement>(null);
  const take = useEffectEvent(onFile);

  useEffect(() => {
    const label = place.current;
    const ended = new AbortController();
    const on = (name: 'dragover' | 'dragleave' | 'drop', run: (event: DragEvent) => void) =>
      label?.addEventListener(name, run, { signal: ended.signal });
    on('dragover', (event) => {
      event.preventDefault();
      setOver(true);
    });
    on('dragleave', () => setOver(false));
    on('drop', (event) => {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) take(file);
    });
    return () => ended.abort();
  }, []);

  return (
    <label
      ref={place}
      htmlFor={id}
      className={classNames(
        'flex cursor-pointer flex-col items-center justify-center gap-1 rounded-lg border border-dashed text-center text-xs text-muted transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        over
          ? 'border-accent bg-accent-soft text-accent'
          : 'border-control-line/60 hover:border-control-line hover:bg-hover',
        className,
      )}
    >
      <input
        id={id}
        type="file"
        accept={accept}
        aria-label={label}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
          // Allows the same file to be picked again after it was removed.
          event.target.value = '';
        }}
      />
      {children}
    </label>
  );
}
