'use client';

import { useState } from 'react';
import { printJson } from '../components/code/print-value';
import { highlightedCode } from '../components/code/highlighted-code';
import { CopyButton } from '../components/ui/copy-button';
import { ScrollRegion } from '../components/ui/scroll-region';
import { MAX_RAW_EVENTS } from './send-message';
import { shortBody } from './short-body';
import type { Wire } from './use-conversation';

/** The request and the events of its answer as they were sent, side by side. Collapsed until the user opens it. */
export function WireView({ wire, name }: { readonly wire: Wire | undefined; readonly name: string }) {
  const [open, setOpen] = useState(false);
  if (!wire) return null;
  return (
    <details className="text-xs" data-testid="wire" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="flex min-h-8 w-fit cursor-pointer items-center rounded-sm text-muted hover:text-ink max-sm:min-h-11">
        Request and raw events
      </summary>
      {open && <Wires wire={wire} name={name} />}
    </details>
  );
}

function Wires({ wire: { body, events, isCut }, name }: { readonly wire: Wire; readonly name: string }) {
  const raw = events
    .map(({ event, data }) => (event === 'response' ? data : `event: ${event}\ndata: ${data}\n`))
    .join('\n');
  return (
    <div className="@container mt-1">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 @2xl:grid-cols-2">
        <Text title="Request" label={`Request to ${name}`} text={printJson(shortBody(body))} copied={printJson(body)} />
        <Text
          title={`${events.length.toLocaleString('en')} ${events.length === 1 ? 'event' : 'events'}`}
          label={`Raw events of ${name}`}
          text={raw}
          copied={raw}
        />
      </div>
      {isCut && (
        <p className="mt-1.5 text-muted">Only the first {MAX_RAW_EVENTS.toLocaleString('en')} events are kept.</p>
      )}
    </div>
  );
}

function Text({
  title,
  label,
  text,
  copied,
}: {
  readonly title: string;
  readonly label: string;
  readonly text: string;
  readonly copied: string;
}) {
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line pl-3 text-muted">
        <span className="font-medium tabular-nums">{title}</span>
        <CopyButton text={copied} label={`Copy: ${label}`} />
      </div>
      <ScrollRegion label={label} className="h-72">
        <pre className="w-max min-w-full px-3 py-2 font-mono text-2xs leading-5">
          <code>{highlightedCode(text)}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}
