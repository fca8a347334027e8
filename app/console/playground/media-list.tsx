'use client';

import { ArrowLeft, ArrowRight, Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import { Dropzone } from '../components/ui/dropzone';
import { inputClass } from '../components/ui/input-class';
import type { MediaPiece } from '../components/video-form/form';
import { mediaLimits, readMedia, type MediaKind } from '../components/media-file';
import { Preview } from './media-slot';

/** A sortable list of media, added as files or URLs. */
export function MediaList({
  label,
  description,
  kind,
  pieces,
  max,
  error,
  onChange,
  ...data
}: {
  readonly label: string;
  readonly description?: string;
  readonly kind: MediaKind;
  readonly pieces: readonly MediaPiece[];
  readonly max: number;
  /** The API's error for the piece at `index`, or for the whole list (undefined). */
  readonly error?: { readonly index: number | undefined; readonly message: string } | undefined;
  onChange(pieces: readonly MediaPiece[]): void;
  readonly 'data-field'?: string;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const isFull = pieces.length >= max;
  const noun = kind === 'image' ? 'image' : 'video';

  async function take(file: File) {
    setProblem(undefined);
    try {
      onChange([...pieces, await readMedia(file, kind)]);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This file could not be read.');
    }
  }

  function addUrl() {
    const url = text.trim();
    if (url === '') return;
    if (!URL.canParse(url)) return setProblem('This is not a URL. It must begin with https://.');
    setProblem(undefined);
    setText('');
    onChange([...pieces, { kind: 'url', url }]);
  }

  const move = (index: number, by: number) => {
    const next = [...pieces];
    const [piece] = next.splice(index, 1);
    if (piece) next.splice(index + by, 0, piece);
    onChange(next);
  };

  const message = problem ?? error?.message;
  return (
    <div {...data}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <p className="text-sm font-medium">{label}</p>
        <p className="text-xs text-muted tabular-nums">
          {pieces.length} of {max}
        </p>
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
        {pieces.map((piece, index) => (
          // Index keys are safe: the order is the identity, and two pieces may be equal.
          <li
            key={`${index}-${piece.kind === 'file' ? piece.name : piece.url}`}
            className={classNames(
              'overflow-hidden rounded-lg border bg-sunken',
              error?.index === index ? 'border-bad' : 'border-line',
            )}
          >
            <Preview piece={piece} kind={kind} className="h-16" />
            <div className="truncate px-1.5 text-2xs text-muted" title={piece.kind === 'file' ? piece.name : piece.url}>
              {index + 1} · {piece.kind === 'file' ? piece.name : hostOf(piece.url)}
            </div>
            <div className="flex justify-between">
              <SmallButton
                label={`Move ${noun} ${index + 1} forward`}
                disabled={index === 0}
                onClick={() => move(index, -1)}
                icon={ArrowLeft}
              />
              <SmallButton
                label={`Remove ${noun} ${index + 1}`}
                onClick={() => onChange(pieces.filter((_, at) => at !== index))}
                icon={X}
              />
              <SmallButton
                label={`Move ${noun} ${index + 1} back`}
                disabled={index === pieces.length - 1}
                onClick={() => move(index, 1)}
                icon={ArrowRight}
              />
            </div>
          </li>
        ))}
        {!isFull && (
          <li>
            <Dropzone
              label={`${label}: choose a file`}
              accept={mediaLimits[kind].accept}
              onFile={(file) => void take(file)}
              className="h-full min-h-24 px-1.5"
            >
              <Plus size={16} aria-hidden="true" />
              <span>Drop or choose</span>
            </Dropzone>
          </li>
        )}
      </ul>
      {!isFull && (
        <div className="mt-1.5 flex gap-1.5">
          <input
            type="url"
            inputMode="url"
            aria-label={`${label}: URL`}
            aria-describedby={`${id}-message`}
            placeholder="or add an https URL"
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
            // Adds the typed text on blur; otherwise it would be missing from the request without notice.
            onBlur={addUrl}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.metaKey || event.ctrlKey) return;
              event.preventDefault();
              addUrl();
            }}
            className={inputClass}
          />
          <Button onClick={addUrl} disabled={text.trim() === ''}>
            Add
          </Button>
        </div>
      )}
      {description && <p className="mt-1.5 text-xs text-muted">{description}</p>}
      <p id={`${id}-message`} role="alert" className={message ? 'mt-1.5 text-xs text-bad' : 'sr-only'}>
        {message}
      </p>
    </div>
  );
}

function SmallButton({
  label,
  icon: Icon,
  ...button
}: {
  readonly label: string;
  readonly icon: typeof X;
  readonly disabled?: boolean;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...button}
      className="grid h-7 min-w-7 grow place-items-center text-muted hover:bg-hover hover:text-ink disabled:opacity-30 max-sm:h-11"
    >
      <Icon size={13} aria-hidden="true" />
    </button>
  );
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host || 'data' : url;
}
