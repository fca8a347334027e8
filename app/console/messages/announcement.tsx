'use client';

import { textOf, type Step } from './conversation';

const ANNOUNCED_CHARS = 600;

const ENDS: Readonly<Record<Step['state'], string>> = {
  running: '',
  done: 'Answer:',
  stopped: 'Stopped after:',
  failed: 'The answer failed.',
};

/**
 * Announces to screen readers that an answer is running, and its whole text once at the end, instead of every piece.
 */
export function Announcement({ steps }: { readonly steps: readonly Step[] }) {
  const text = steps.some(({ state }) => state === 'running')
    ? 'The model answers.'
    : steps
        .slice(-2)
        .map(({ state, blocks }) => `${ENDS[state]} ${textOf(blocks).slice(0, ANNOUNCED_CHARS)}`)
        .join(' ');
  return (
    <output className="sr-only" data-testid="announcement">
      {text}
    </output>
  );
}
