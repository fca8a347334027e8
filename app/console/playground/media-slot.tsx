'use client';

import { Film, ImagePlus, Link2, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import { Dropzone } from '../components/ui/dropzone';
import { inputClass } from '../components/ui/input-class';
import type { MediaPiece } from '../components/video-form/form';
import { mediaLimits, megabytes, readMedia, type MediaKind } from '../components/media-file';

/** One piece of media: a dropped or picked file, or a URL. `error` is the API's error for it. */
export function MediaSlot({
  label,
  kind,
  piece,
  error,
  onChange,
  compact = false,
  ...data
}: {
  readonly label: string;
  readonly kind: MediaKind;
  readonly piece: MediaPiece | null;
  readonly error?: string | undefined;
  onChange(piece: MediaPiece | null): void;
  readonly compact?: boolean;
  readonly 'data-field'?: string;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const limits = mediaLimits[kind];
  const message = problem ?? error;

  async function take(file: File) {
    setProblem(undefined);
    try {
      onChange(await readMedia(file, kind));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This file could not be read.');
    }
  }

  const isFile = piece?.kind === 'file';
  return (
    <div className="min-w-0" {...data}>
      <p className="mb-1.5 text-sm font-medium" id={`${id}-label`}>
        {label}
      </p>
      {isFile ? (
        <div className="relative overflow-hidden rounded-lg border border-line bg-sunken">
          <Preview piece={piece} kind={kind} className={compact ? 'h-24' : 'h-32'} />
          <div className="flex items-center gap-2 border-t border-line py-1 pr-1 pl-2.5">
            <span className="min-w-0 grow truncate text-xs" title={piece.name}>
              {piece.name} <span className="text-muted tabular-nums">{megabytes(piece.sizeBytes)}</span>
            </span>
            <Button
              variant="quiet"
              size="icon"
              aria-label={`Remove ${label.toLowerCase()}`}
              title="Remove"
              onClick={() => onChange(null)}
            >
              <X size={14} aria-hidden="true" />
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex flex-col gap-1.5">
          <Dropzone
            label={`${label}: choose a file`}
            accept={limits.accept}
            onFile={(file) => void take(file)}
            className={classNames('px-3', compact ? 'h-24' : 'h-24')}
          >
            {kind === 'image' ? <ImagePlus size={18} aria-hidden="true" /> : <Film size={18} aria-hidden="true" />}
            <span>
              <span className="font-medium text-ink">Drop {kind === 'image' ? 'an image' : 'a video'}</span> or choose
              one
            </span>
            {!compact && <span className="text-2xs">{limits.words}</span>}
          </Dropzone>
          <div className="relative">
            <Link2
              size={14}
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 left-3 my-auto text-muted"
            />
            <input
              type="url"
              inputMode="url"
              aria-label={`${label}: URL`}
              aria-invalid={message ? true : undefined}
              aria-describedby={message ? `${id}-message` : undefined}
              placeholder="or paste an https URL"
              spellCheck={false}
              autoComplete="off"
              value={piece?.url ?? ''}
              onChange={(event) => {
                setProblem(undefined);
                onChange(event.target.value === '' ? null : { kind: 'url', url: event.target.value });
              }}
              className={classNames(inputClass, 'pl-8.5')}
            />
          </div>
        </div>
      )}
      <p id={`${id}-message`} role="alert" className={message ? 'mt-1.5 text-xs text-bad' : 'sr-only'}>
        {message}
      </p>
    </div>
  );
}

/** Shows a preview of a file, if this window has one. */
export function Preview({
  piece,
  kind,
  className,
}: {
  readonly piece: MediaPiece;
  readonly kind: MediaKind;
  readonly className?: string;
}) {
  const frame = classNames('grid w-full place-items-center overflow-hidden text-muted', className);
  if (piece.kind === 'file' && kind === 'image') {
    return (
      <div
        className={classNames(frame, 'bg-contain bg-center bg-no-repeat')}
        style={{ backgroundImage: `url("${piece.dataUrl}")` }}
      />
    );
  }
  const source = piece.kind === 'file' ? piece.previewUrl : ownFile(piece.url);
  if (kind === 'video' && source !== undefined) {
    return (
      <div className={frame}>
        <video src={source} muted playsInline preload="metadata" className="size-full object-contain" />
      </div>
    );
  }
  return (
    <div className={frame}>
      {piece.kind === 'file' ? <Film size={18} aria-hidden="true" /> : <Link2 size={18} aria-hidden="true" />}
    </div>
  );
}

/** Converts a signed link of this installation to a path that the page can play; undefined for other URLs. */
function ownFile(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { pathname, search, searchParams } = new URL(url);
  return /^\/v1\/videos\/\w+\/content$/.test(pathname) && searchParams.has('signature') ? pathname + search : undefined;
}
