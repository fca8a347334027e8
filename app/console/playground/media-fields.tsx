'use client';

import { ArrowLeftRight } from 'lucide-react';
import { billsInput } from '../../../lib/billing/quote';
import type { VideoModel } from '../../../lib/domain/model';
import { Button } from '../components/ui/button';
import { TextField } from '../components/ui/field';
import type { FieldError } from '../components/video-form/estimate';
import type { MediaPiece, VideoForm } from '../components/video-form/form';
import { MediaList } from './media-list';
import { MediaSlot } from './media-slot';

/** The media fields of the model's kind. */
export function MediaFields({
  form,
  model,
  error,
  onChange,
}: {
  readonly form: VideoForm;
  readonly model: VideoModel;
  readonly error: FieldError | undefined;
  onChange(form: VideoForm): void;
}) {
  const { kind, media } = model.video;
  const of = (...params: string[]) =>
    error?.param !== undefined && params.includes(error.param) ? error.message : undefined;
  const images = form.images.filter((piece): piece is MediaPiece => piece !== null);
  const [first = null, last = null] = form.images;
  const billsReferences = billsInput(model.bindings, true);
  const setFrames = (frames: readonly (MediaPiece | null)[]) => onChange({ ...form, images: frames });

  switch (kind) {
    case 't2v':
      return null;
    case 'i2v':
      return (
        <MediaSlot
          data-field="image_url"
          label="First frame"
          kind="image"
          piece={first}
          error={of('image_url', 'image_list', 'image_list[0]', 'input_reference.image_url')}
          onChange={(piece) => setFrames(piece ? [piece] : [])}
        />
      );
    case 'start-end':
      return (
        <div data-field="image_list" className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-start gap-2">
          <MediaSlot
            compact
            label="First frame"
            kind="image"
            piece={first}
            error={of('image_list[0]')}
            onChange={(piece) => setFrames([piece, last])}
          />
          <Button
            variant="quiet"
            size="icon"
            className="mt-13"
            aria-label="Swap first and last frame"
            title="Swap"
            disabled={!first && !last}
            onClick={() => setFrames([last, first])}
          >
            <ArrowLeftRight size={15} aria-hidden="true" />
          </Button>
          <MediaSlot
            compact
            label="Last frame"
            kind="image"
            piece={last}
            error={of('image_list[1]')}
            onChange={(piece) => setFrames([first, piece])}
          />
        </div>
      );
    case 'r2v':
      return (
        <>
          {media.images && (
            <MediaList
              data-field="image_list"
              label="Reference images"
              kind="image"
              pieces={images}
              max={media.images.max}
              error={listError(error, 'image_list')}
              onChange={setFrames}
              {...(media.eitherRequired &&
                images.length + form.videos.length === 0 && {
                  description: 'Add at least one reference image or video.',
                })}
            />
          )}
          {media.videos && (
            <MediaList
              data-field="video_list"
              label="Reference videos"
              kind="video"
              pieces={form.videos}
              max={media.videos.max}
              error={listError(error, 'video_list')}
              onChange={(videos) => onChange(withVideos(form, videos, model))}
            />
          )}
          {form.videos.length > 0 && (billsReferences || form.inputSeconds !== '') && (
            <InputSeconds
              form={form}
              description={
                billsReferences
                  ? 'Total length of the reference videos, which is billed too. If empty, the maximum is assumed.'
                  : 'Total length of the reference videos. This model does not bill it.'
              }
              error={of('input_seconds')}
              onChange={onChange}
            />
          )}
        </>
      );
    case 'video-edit':
      return (
        <>
          <MediaSlot
            data-field="video_url"
            label="Source video"
            kind="video"
            piece={form.source}
            error={of('video_url')}
            onChange={(source) =>
              onChange({
                ...form,
                source,
                ...(source?.durationSeconds !== undefined && { inputSeconds: String(source.durationSeconds) }),
              })
            }
          />
          <InputSeconds
            form={form}
            description="Read automatically from a file. Input and output seconds are both billed."
            error={of('input_seconds')}
            onChange={onChange}
          />
          {media.images && (
            <MediaList
              data-field="image_list"
              label="Reference images"
              kind="image"
              pieces={images}
              max={media.images.max}
              error={listError(error, 'image_list')}
              onChange={setFrames}
            />
          )}
        </>
      );
  }
}

function InputSeconds({
  form,
  description,
  error,
  onChange,
}: {
  readonly form: VideoForm;
  readonly description: string;
  readonly error: string | undefined;
  onChange(form: VideoForm): void;
}) {
  return (
    <div data-field="input_seconds">
      <TextField
        label="Length of the input"
        inputMode="decimal"
        autoComplete="off"
        placeholder="7.5"
        value={form.inputSeconds}
        onChange={(event) => onChange({ ...form, inputSeconds: event.target.value })}
        hint={description}
        error={error}
        endAdornment={<span className="pr-3 text-xs text-muted">seconds</span>}
      />
    </div>
  );
}

/** Returns the form with these references, and their total length if the length of every file is known. */
function withVideos(form: VideoForm, videos: readonly MediaPiece[], model: VideoModel): VideoForm {
  if (!billsInput(model.bindings, true)) return { ...form, videos };
  const lengths = videos.map(({ durationSeconds }) => durationSeconds);
  const isKnown = lengths.length > 0 && lengths.every((seconds) => seconds !== undefined);
  const total = lengths.reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
  return {
    ...form,
    videos,
    inputSeconds: isKnown ? String(Math.round(total * 1000) / 1000) : videos.length === 0 ? '' : form.inputSeconds,
  };
}

function listError(
  error: FieldError | undefined,
  field: string,
): { readonly index: number | undefined; readonly message: string } | undefined {
  const match = error?.param === undefined ? undefined : /^([a-z_]+)(?:\[(\d+)\])?$/.exec(error.param);
  if (!error || match?.[1] !== field) return undefined;
  return { index: match[2] === undefined ? undefined : Number(match[2]), message: error.message };
}
