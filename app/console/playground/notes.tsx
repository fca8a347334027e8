'use client';

import { X } from 'lucide-react';
import { Button } from '../components/ui/button';
import type { LeftField } from '../components/video-form/import-request';

/** Lists the settings that a change of the model reset. Announced, and removed with the next change. */
export function SwitchNotes({ notes, onDismiss }: { readonly notes: readonly string[]; onDismiss(): void }) {
  return (
    <output className="block" data-testid="switch-notes">
      {notes.length > 0 && (
        <span className="mt-2 flex items-start justify-between gap-2 rounded-lg border border-line bg-sunken py-1.5 pr-1 pl-3 text-xs">
          <span className="py-1">
            <span className="font-medium">Changed for this model: </span>
            <span className="text-muted">{notes.join(' · ')}</span>
          </span>
          <Button variant="quiet" size="icon" className="size-7!" aria-label="Dismiss note" onClick={onDismiss}>
            <X size={13} aria-hidden="true" />
          </Button>
        </span>
      )}
    </output>
  );
}

/** The fields of an imported request that the form does not support, crossed out, each with the reason. */
export function LeftFields({ left, onDismiss }: { readonly left: readonly LeftField[]; onDismiss(): void }) {
  return (
    <div aria-live="polite" data-testid="left-fields">
      {left.length > 0 && (
        <div className="mt-2 rounded-lg border border-warn/35 bg-warn/8 py-2 pr-1 pl-3 text-xs">
          <div className="flex items-center justify-between gap-2">
            <span className="font-medium">
              {left.length === 1 ? '1 field was' : `${left.length} fields were`} not imported
            </span>
            <Button variant="quiet" size="icon" className="size-7!" aria-label="Dismiss list" onClick={onDismiss}>
              <X size={13} aria-hidden="true" />
            </Button>
          </div>
          <ul className="mt-1 flex flex-col gap-1.5 pr-2">
            {left.map(({ name, value, reason }) => (
              <li key={name}>
                <s className="font-mono break-all">
                  {name}: {value}
                </s>
                <span className="block text-muted">{reason}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
