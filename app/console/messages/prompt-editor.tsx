'use client';

import { ImagePlus, Link2, X } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode, type Ref } from 'react';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { classNames } from '../components/ui/class-names';
import type { ImagePiece, Prompt } from './conversation';
import { dataUrl, IMAGE_ACCEPT, readImage } from './image-file';

/**
 * The text and the images of a prompt. Images can be picked, dropped or pasted. `actions` are below the text, on the
 * right.
 */
export function PromptEditor({
  label,
  prompt,
  takesImages,
  field,
  placeholder,
  actions,
  onChange,
  onSend,
}: {
  readonly label: string;
  readonly prompt: Prompt;
  readonly takesImages: boolean;
  readonly field?: Ref<HTMLTextAreaElement>;
  readonly placeholder?: string;
  readonly actions: ReactNode;
  onChange(prompt: Prompt): void;
  onSend(): void;
}) {
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const [isOver, setIsOver] = useState(false);
  // Files are read one after another, and the user may type meanwhile.
  const latest = useRef(prompt);
  useEffect(() => {
    latest.current = prompt;
  }, [prompt]);

  async function take(files: readonly File[]) {
    setProblem(takesImages ? undefined : 'This model does not accept images. Choose one that does.');
    if (!takesImages) return;
    for (const file of files) {
      try {
        const image = await readImage(file, latest.current.images);
        latest.current = { ...latest.current, images: [...latest.current.images, image] };
        onChange(latest.current);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : 'This image could not be read.');
      }
    }
  }

  return (
    <div
      className={classNames(
        'rounded-xl border bg-surface transition-colors focus-within:border-accent',
        isOver ? 'border-accent bg-accent-soft' : 'border-control-line/60',
      )}
    >
      {prompt.images.length > 0 && (
        <ul aria-label="Images" className="flex flex-wrap gap-2 px-3 pt-3">
          {prompt.images.map((image, index) => (
            <li key={index} className="relative">
              <Thumbnail image={image} />
              <Button
                variant="secondary"
                size="icon"
                aria-label={`Remove image ${index + 1}`}
                title="Remove"
                className="absolute -top-2 -right-2 size-6! rounded-full! max-sm:size-8!"
                onClick={() => onChange({ ...prompt, images: prompt.images.filter((_each, at) => at !== index) })}
              >
                <X size={12} aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        ref={field}
        id={id}
        rows={2}
        value={prompt.text}
        placeholder={placeholder}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onChange={(event) => onChange({ ...prompt, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          onSend();
        }}
        onPaste={(event) => {
          const files = imagesOf(event.clipboardData);
          if (files.length === 0) return;
          event.preventDefault();
          void take(files);
        }}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes('Files')) return;
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          setIsOver(false);
          const files = [...event.dataTransfer.files];
          if (files.length === 0) return;
          event.preventDefault();
          void take(files);
        }}
        className="block field-sizing-content max-h-72 min-h-18 w-full resize-none bg-transparent px-3.5 py-3 rounded-t-xl text-base leading-6 focus-visible:-outline-offset-2 placeholder:text-muted/80"
      />
      <p id={`${id}-problem`} role="alert" className={problem ? 'px-3.5 pb-2 text-xs text-bad' : 'sr-only'}>
        {problem}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2 px-2 pb-2">
        {takesImages ? (
          <label
            className={buttonClass(
              { variant: 'quiet', size: 'small' },
              'cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent',
            )}
          >
            <input
              type="file"
              multiple
              accept={IMAGE_ACCEPT}
              aria-label="Add images"
              className="sr-only"
              onChange={(event) => {
                void take([...(event.target.files ?? [])]);
                // Allows the same file to be picked again after it was removed.
                event.target.value = '';
              }}
            />
            <ImagePlus size={15} aria-hidden="true" /> <span aria-hidden="true">Image</span>
          </label>
        ) : (
          <span />
        )}
        <div className="flex items-center gap-2">{actions}</div>
      </div>
    </div>
  );
}

/**
 * Returns pasted or dropped files. Ignores a picture that was copied along with its text, so that the text is pasted.
 */
function imagesOf({ files, types }: DataTransfer): File[] {
  return types.includes('text/plain') ? [] : [...files];
}

/** Shows an image from a file. An image at a URL is a link, because the page requests nothing from other sites. */
export function Thumbnail({ image }: { readonly image: ImagePiece }) {
  if (image.kind !== 'file')
    return (
      <span className="flex h-16 max-w-48 items-center gap-1.5 rounded-lg border border-line bg-sunken px-2.5 text-xs">
        <Link2 size={13} aria-hidden="true" className="shrink-0 text-muted" />
        <span className="truncate" title={image.url}>
          {image.url}
        </span>
      </span>
    );
  return (
    <span
      title={image.name}
      className="block size-16 rounded-lg border border-line bg-sunken bg-contain bg-center bg-no-repeat"
      style={{ backgroundImage: `url("${dataUrl(image)}")` }}
    >
      <span className="sr-only">{image.name}</span>
    </span>
  );
}
