'use client';

import { Ban, AudioLines, CircleCheck, CircleX, Clapperboard, Ear, LoaderCircle, MessageSquareText } from 'lucide-react';
import type { ActivityEntryJson } from '../../../lib/activity/activity';
import { GoLink } from '../_shell/going';
import { Card, Section } from '../_ui/card';
import { EmptyState } from '../_ui/list-states';
import { Money } from '../_ui/money';
import { TimeAgo } from '../_ui/time-ago';
import { buttonClass } from '../_ui/button';
import { paths } from '../paths';

const KINDS = {
  video: { icon: Clapperboard, word: 'Video' },
  message: { icon: MessageSquareText, word: 'Message' },
  transcription: { icon: Ear, word: 'Transcription' },
  speech: { icon: AudioLines, word: 'Speech' },
} as const;

const STATUSES = {
  queued: { icon: LoaderCircle, word: 'Queued', look: 'text-muted' },
  in_progress: { icon: LoaderCircle, word: 'In progress', look: 'text-info' },
  completed: { icon: CircleCheck, word: 'Completed', look: 'text-good' },
  failed: { icon: CircleX, word: 'Failed', look: 'text-bad' },
  cancelled: { icon: Ban, word: 'Cancelled', look: 'text-muted' },
} as const;

/** The newest work of every kind. */
export function Latest({ entries, mode }: { readonly entries: readonly ActivityEntryJson[]; readonly mode: 'live' | 'test' }) {
  return (
    <Section
      id="latest"
      title="Last activity"
      actions={
        entries.length > 0 && (
          <GoLink href={paths.jobs()} title="Jobs" className={buttonClass({ look: 'quiet', size: 'small' })}>
            All jobs
          </GoLink>
        )
      }
    >
      {entries.length === 0 ? (
        <EmptyState icon={Clapperboard} title={`Nothing was made in ${mode} mode yet`} says="Videos, messages and speech appear here as soon as they are asked for.">
          <GoLink href={paths.playground()} title="Playground" className={buttonClass({ look: 'primary' })}>
            Make a video
          </GoLink>
        </EmptyState>
      ) : (
        <Card>
          <ul>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}

function Entry({ entry }: { readonly entry: ActivityEntryJson }) {
  const { icon: Kind, word: kind } = KINDS[entry.kind];
  const { icon: Status, word: status, look } = STATUSES[entry.status];
  return (
    <li className="relative flex min-h-14 items-center gap-3 border-line px-4 py-2 transition-colors not-last:border-b hover:bg-hover">
      <Kind size={16} aria-hidden="true" className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <div className="truncate text-sm font-medium">
          {entry.kind === 'video' ? (
            // The whole row is the link; what stands above it stays reachable.
            <GoLink href={paths.job(entry.id)} title={entry.model} className="after:absolute after:inset-0">
              {entry.model}
            </GoLink>
          ) : (
            entry.model
          )}
        </div>
        <div className="truncate text-xs text-muted">{kind}</div>
      </div>
      <span className={`flex shrink-0 items-center gap-1.5 text-xs font-medium ${look}`}>
        <Status size={14} aria-hidden="true" className={entry.status === 'in_progress' ? 'animate-spin' : undefined} />
        <span className="max-sm:sr-only">{status}</span>
      </span>
      <span className="w-20 shrink-0 text-right text-sm tabular-nums">{entry.status === 'failed' ? <span className="text-xs text-muted">Not charged</span> : <Money amount={entry.cost} />}</span>
      <span className="relative w-22 shrink-0 text-right text-xs text-muted max-sm:hidden">
        <TimeAgo at={entry.created_at} />
      </span>
    </li>
  );
}
