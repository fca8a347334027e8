'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { CopyButton } from '../components/ui/copy-button';
import { ScrollRegion } from '../components/ui/scroll-region';
import { logText, MAX_ENTRIES, type LogEntry, type MessageLog } from './message-log';

/** The messages of a socket in both directions. Collapsed until the user opens it. */
export function MessageLogView({ log, label }: { readonly log: MessageLog; readonly label: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="text-xs" data-testid="message-log" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-8 w-fit cursor-pointer items-center rounded-sm text-muted hover:text-ink max-sm:min-h-11">
        Messages of the socket
      </summary>
      {open && <Entries log={log} label={label} />}
    </details>
  );
}

const NONE: readonly LogEntry[] = [];

function Entries({ log, label }: { readonly log: MessageLog; readonly label: string }) {
  const entries = useSyncExternalStore(log.subscribe, log.entries, () => NONE);
  return (
    <div className="mt-1 overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line pl-3 text-muted">
        <span className="font-medium tabular-nums">
          {log.isCut()
            ? `The last ${MAX_ENTRIES} entries`
            : `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`}
        </span>
        <CopyButton text={logText(entries)} label={`Copy: ${label}`} />
      </div>
      <ScrollRegion label={label} className="h-60">
        {entries.length === 0 ? (
          <p className="px-3 py-2 text-muted">The messages of the next session appear here.</p>
        ) : (
          <ol className="px-3 py-2 font-mono text-2xs leading-5">
            {entries.map(({ id, atMs, direction, text }) => (
              <li key={id} className="flex gap-2">
                <span className="w-16 shrink-0 text-right text-muted tabular-nums">+{(atMs / 1_000).toFixed(3)} s</span>
                <span className={direction === 'sent' ? 'mt-1 shrink-0 text-info' : 'mt-1 shrink-0 text-good'}>
                  {direction === 'sent' ? (
                    <ArrowUp size={12} aria-label="sent" />
                  ) : (
                    <ArrowDown size={12} aria-label="received" />
                  )}
                </span>
                <span className="min-w-0 break-words">{text}</span>
              </li>
            ))}
          </ol>
        )}
      </ScrollRegion>
    </div>
  );
}
