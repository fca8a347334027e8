import type { ComponentType, ReactNode } from 'react';
import { classNames } from './class-names';
import { since } from './elapsed';

export type TimelineTone = 'neutral' | 'good' | 'bad' | 'warn' | 'info';

export interface TimelineStep {
  readonly key: string;
  readonly icon: ComponentType<{ size: number; className?: string; 'aria-hidden': 'true' }>;
  readonly tone: TimelineTone;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  /** Unix seconds with milliseconds as fraction. */
  readonly at: number;
  /** Shown next to the time, such as the time since the first step. */
  readonly after?: string;
}

const tones: Readonly<Record<TimelineTone, string>> = {
  neutral: 'text-muted',
  good: 'text-good',
  bad: 'text-bad',
  warn: 'text-warn',
  info: 'text-info',
};

/** What is shown of an event in addition to its time. */
export type EventWords = Pick<TimelineStep, 'icon' | 'tone' | 'title' | 'description'>;

/** Returns a step for each event in chronological order, with the time since the first. */
export function stepsOf<Event extends { readonly event: string; readonly at: number }>(
  events: readonly Event[],
  wordsOf: (event: Event) => EventWords,
): readonly TimelineStep[] {
  const start = events[0]?.at ?? 0;
  return events.map((event, index) => ({
    key: `${event.event} ${index}`,
    at: event.at,
    ...(index > 0 ? { after: since(event.at - start) } : {}),
    ...wordsOf(event),
  }));
}

/** Events in chronological order, each with its exact UTC time. */
export function Timeline({ label, steps }: { readonly label: string; readonly steps: readonly TimelineStep[] }) {
  return (
    <ol aria-label={label}>
      {steps.map(({ key, icon: Icon, tone, title, description, at, after }) => (
        <li key={key} className="group/step relative flex gap-3 pb-4 last:pb-0">
          <span aria-hidden="true" className="absolute top-6 bottom-0 left-2.75 w-px bg-line group-last/step:hidden" />
          <span
            className={classNames(
              'relative grid size-5.5 shrink-0 place-items-center rounded-full border border-line bg-surface',
              tones[tone],
            )}
          >
            <Icon size={12} aria-hidden="true" />
          </span>
          <div className="min-w-0 flex-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="text-sm font-medium">{title}</span>
              <span className="text-xs whitespace-nowrap text-muted tabular-nums">
                <ExactTime at={at} />
                {after && <span className="ml-2">{after}</span>}
              </span>
            </div>
            {description && <div className="text-xs break-words text-muted">{description}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

function ExactTime({ at }: { readonly at: number }) {
  const instant = new Date(at * 1000).toISOString();
  return (
    <time dateTime={instant} title={`${instant.slice(0, 23).replace('T', ' ')} UTC`}>
      {instant.slice(11, 23)}
    </time>
  );
}
