'use client';

import { ArrowLeft, X } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { CatalogEntry } from '../../../lib/contract/models';
import { operationLabels } from '../components/operation-labels';
import { priceRangeLabel, priceUnitLabels } from '../components/price/price-labels';
import { Button } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import { ScrollRegion } from '../components/ui/scroll-region';
import { paths } from '../paths';
import { AvailabilityChip } from './entry-parts';
import { audioWords, dayWords, modalityWords, stabilityWords, tokenWords } from './entry-words';
import { secondsWords } from '../components/video-form/seconds-words';
import { FamilyMark } from './family-mark';

interface Fact {
  readonly title: string;
  /** Returns undefined if the entry has no such fact. Rows without any value are omitted. */
  of(entry: CatalogEntry): string | undefined;
}

const words = (values: readonly string[] | undefined, nothing = 'None') =>
  values && (values.length === 0 ? nothing : values.join(', '));

const FACTS: readonly Fact[] = [
  { title: 'Capability', of: (entry) => operationLabels[entry.operation] },
  {
    title: 'Price',
    of: (entry) => (entry.price ? `${priceRangeLabel(entry.price)} per ${priceUnitLabels[entry.price.unit]}` : 'None'),
  },
  { title: 'Input', of: (entry) => words(entry.input.map((each) => modalityWords[each] ?? each)) },
  { title: 'Output', of: (entry) => words(entry.output.map((each) => modalityWords[each] ?? each)) },
  { title: 'Lengths', of: ({ video }) => video && secondsWords(video.seconds) },
  { title: 'Resolutions', of: ({ video }) => words(video?.resolutions) },
  { title: 'Aspect ratios', of: ({ video }) => words(video?.aspectRatios, 'Same as the input media') },
  { title: 'Audio', of: ({ video }) => video && audioWords[video.audio] },
  { title: 'Frames per second', of: ({ video }) => video && String(video.fps) },
  { title: 'Required media', of: ({ video }) => words(video?.media.map((field) => field.replaceAll('|', ' or '))) },
  { title: 'Other parameters', of: ({ video }) => words(video?.parameters) },
  { title: 'Context', of: ({ messages }) => messages && `${tokenWords(messages.contextTokens)} tokens` },
  { title: 'Max output', of: ({ messages }) => messages && `${tokenWords(messages.maxOutputTokens)} tokens` },
  { title: 'Thinking', of: ({ messages }) => messages && (messages.thinks ? 'Yes' : 'No') },
  { title: 'Structured output', of: ({ messages }) => messages && (messages.structuredOutputs ? 'Yes' : 'No') },
  { title: 'Languages', of: ({ speech }) => speech && String(speech.languages) },
  {
    title: 'Voices',
    of: ({ speech }) =>
      speech?.voices === undefined ? undefined : `${speech.voices}${speech.otherVoices ? ' and more' : ''}`,
  },
  { title: 'Max session', of: ({ speech }) => speech && `${Math.round(speech.maxSessionSeconds / 60)} min` },
  { title: 'Providers', of: (entry) => words(entry.providers.map(({ id }) => id)) },
  { title: 'Stability', of: (entry) => stabilityWords[entry.stability] },
  { title: 'Added', of: (entry) => dayWords(new Date(entry.created * 1000).toISOString()) },
];

const FACT_REM = 9;
const MODEL_REM = 13;

/** Compares up to four models; different values are highlighted. */
export function CompareTable({
  entries,
  onRemove,
  onBack,
}: {
  readonly entries: readonly CatalogEntry[];
  onRemove(id: string): void;
  onBack(): void;
}) {
  return (
    <div>
      <Button variant="quiet" size="small" className="mb-3 -ml-2" onClick={onBack}>
        <ArrowLeft size={14} aria-hidden="true" /> Back to list
      </Button>
      <ScrollRegion label="Comparison" className="rounded-xl border border-line bg-surface">
        {/* Columns of the same width: sized by content, four would not fit into a window of 1440 pixels. */}
        <table
          aria-label="Comparison of models"
          className="w-full table-fixed border-collapse text-sm"
          style={{ minWidth: `${FACT_REM + entries.length * MODEL_REM}rem` }}
        >
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="bg-sunken" style={{ width: `${FACT_REM}rem` }}>
                <span className="sr-only">Property</span>
              </th>
              {entries.map((entry) => (
                <th
                  key={entry.id}
                  scope="col"
                  className="border-l border-line bg-sunken p-4 text-left align-top font-normal"
                >
                  <div className="flex items-start gap-3">
                    <FamilyMark family={entry.family} />
                    <div className="min-w-0 flex-1">
                      <Link
                        href={paths.model(entry.id)}
                        prefetch={false}
                        className="font-medium underline-offset-4 hover:underline"
                      >
                        {entry.name}
                      </Link>
                      <div className="font-mono text-xs break-all text-muted">{entry.id}</div>
                    </div>
                    <Button
                      variant="quiet"
                      size="icon"
                      className="-mt-1.5 -mr-1.5"
                      aria-label={`Remove ${entry.name}`}
                      onClick={() => onRemove(entry.id)}
                    >
                      <X size={14} aria-hidden="true" />
                    </Button>
                  </div>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <FactRow
              title="Availability"
              values={entries.map((entry) => (
                <AvailabilityChip key={entry.id} entry={entry} />
              ))}
              differs={false}
            />
            {FACTS.map((fact) => {
              const values = entries.map(fact.of);
              if (values.every((value) => value === undefined)) return null;
              return (
                <FactRow
                  key={fact.title}
                  title={fact.title}
                  values={values.map((value) => value ?? '–')}
                  differs={new Set(values).size > 1}
                />
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

function FactRow({
  title,
  values,
  differs,
}: {
  readonly title: string;
  readonly values: readonly ReactNode[];
  readonly differs: boolean;
}) {
  return (
    <tr className="border-line not-last:border-b">
      <th
        scope="row"
        className="sticky left-0 z-10 bg-sunken px-4 py-2.5 text-left align-top text-xs font-medium text-muted"
      >
        {title}
      </th>
      {values.map((value, index) => (
        // Index keys are safe: columns never change places within a row.
        <td
          key={index}
          className={classNames(
            'border-l border-line px-4 py-2.5 align-top wrap-break-word tabular-nums',
            !differs && 'text-muted',
          )}
        >
          {value}
        </td>
      ))}
    </tr>
  );
}
