'use client';

import { Clapperboard } from 'lucide-react';

const EXAMPLES = [
  'A paper boat crossing a pond at dawn, mist on the water, slow push in',
  'Top-down shot of a city at night, long exposure of the traffic turning into ribbons of light',
  'A potter shapes a bowl, close-up of wet hands and clay, warm window light',
];

/** Shown before the first video, with example prompts. */
export function EmptyStage({ onExample }: { onExample?: ((prompt: string) => void) | undefined }) {
  return (
    <div className="grid min-h-96 place-items-center rounded-xl border border-dashed border-line-strong px-6 py-12">
      <div className="flex max-w-md flex-col items-center text-center">
        <span
          aria-hidden="true"
          className="mb-4 grid size-11 place-items-center rounded-full border border-line bg-surface text-muted"
        >
          <Clapperboard size={19} />
        </span>
        <p className="text-base font-medium">Your video appears here</p>
        <p className="mt-1 text-sm text-muted">Describe it, choose a model, and see the price before you generate.</p>
        {onExample && (
          <div className="mt-6 flex w-full flex-col gap-1.5">
            <p className="text-xs text-muted">Or start with one of these</p>
            {EXAMPLES.map((example) => (
              <button
                key={example}
                type="button"
                onClick={() => onExample(example)}
                className="rounded-lg border border-line bg-surface px-3 py-2 text-left text-sm transition-colors hover:border-line-strong hover:bg-hover"
              >
                {example}
              </button>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}
