'use client';

import { useState, type ReactNode } from 'react';
import { isObject } from '../../../lib/domain/json';
import { classNames } from '../components/ui/class-names';
import type { VideoDetails } from '../../../lib/contract/videos';

/** The number of characters that are shown before "Show all"; a prompt may have 32,000. */
const SHOWN_AT_ONCE = 800;

/** The request next to what was sent to the provider. Ignored fields are crossed out, each with its reason. */
export function VideoRequest({ video }: { readonly video: VideoDetails }) {
  const request = isObject(video.request) ? video.request : undefined;
  const last = video.attempts.findLast(({ sent }) => sent !== undefined);
  const sent = isObject(last?.sent) ? last.sent : undefined;
  const reasons = new Map(video.ignored.map(({ name, reason }) => [name, reason]));
  if (!request)
    return (
      <p className="text-sm text-muted">
        The request is no longer stored: the time for which this installation keeps inputs is over.
      </p>
    );
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Panel title="You sent">
        {Object.entries(request).map(([name, value]) => (
          <Field key={name} name={name} value={value} reason={reasons.get(name)} />
        ))}
      </Panel>
      <Panel title={last ? `Sent to ${last.provider}` : 'Sent upstream'}>
        {sent ? (
          Object.entries(sent).map(([name, value]) => (
            <Field key={name} name={name} value={value} added={!(name in request)} />
          ))
        ) : (
          <p className="px-4 py-3 font-sans text-sm text-muted">
            {video.attempts.length === 0
              ? 'Nothing has been sent yet.'
              : 'This provider does not record what was sent to it.'}
          </p>
        )}
      </Panel>
    </div>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0 overflow-hidden rounded-lg border border-line bg-sunken">
      <h3 className="border-b border-line px-4 py-2 text-xs font-medium text-muted">{title}</h3>
      <ul className="py-2 font-mono text-xs leading-5" aria-label={title}>
        {children}
      </ul>
    </div>
  );
}

/** A field of a request. `added` marks a default that the gateway filled in, or a field that it renamed. */
function Field({
  name,
  value,
  reason,
  added = false,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly reason?: string | undefined;
  readonly added?: boolean;
}) {
  const [whole, setWhole] = useState(false);
  const full = `${name}: ${typeof value === 'string' ? JSON.stringify(value) : JSON.stringify(value, null, 2)}`;
  const isLong = full.length > SHOWN_AT_ONCE;
  const text = isLong && !whole ? `${full.slice(0, SHOWN_AT_ONCE)}…` : full;
  return (
    <li className={classNames('flex gap-2 px-4 py-0.5', reason !== undefined && 'bg-warn/8', added && 'text-info')}>
      <span aria-hidden="true" className="w-2 shrink-0 select-none">
        {reason === undefined ? (added ? '+' : '') : '−'}
      </span>
      <span className="min-w-0 break-words whitespace-pre-wrap">
        {reason === undefined ? text : <del data-ignored={name}>{text}</del>}
        {isLong && (
          <button
            type="button"
            aria-expanded={whole}
            onClick={() => setWhole(!whole)}
            className="block min-h-6 rounded font-sans font-medium text-accent hover:underline max-sm:min-h-11"
          >
            {whole ? 'Show less' : `Show all ${full.length.toLocaleString('en')} characters`}
          </button>
        )}
        {added && <span className="sr-only"> (added by the gateway)</span>}
        {reason !== undefined && <span className="block font-sans text-warn">Ignored. {reason}</span>}
      </span>
    </li>
  );
}
