'use client';

import { Clapperboard, Play, RotateCcw, X } from 'lucide-react';
import Link from 'next/link';
import { useRef } from 'react';
import type { Mode } from '../../../../lib/domain/video';
import { VideoCost } from '../../components/video/video-cost';
import { RequestStatusChip } from '../../components/request/request-status-chip';
import { Button } from '../../components/ui/button';
import { Card, Section } from '../../components/ui/card';
import { Chip } from '../../components/ui/chip';
import { linkClass } from '../../components/ui/link-class';
import { EmptyState } from '../../components/ui/list-states';
import { usd } from '../../../../lib/domain/money';
import type { ShownModel } from '../../components/video-form/form';
import { isRunning } from '../../components/video/shown-video';
import { paths } from '../../paths';
import { useNow } from '../../components/ui/now';
import { pixelsOf, playableAt, type GalleryVideo } from '../gallery-video';
import type { Batch, BatchRow } from './batch';
import type { BatchPlan } from './batch-plan';

/** A row of the table: a planned video, or a row of the batch with the video that it created. */
interface ShownRow {
  readonly key: string;
  readonly modelId: string;
  readonly prompt: string;
  readonly seed?: number | undefined;
  readonly price: string | undefined;
  readonly error?: string | undefined;
  readonly row?: BatchRow;
  readonly video?: GalleryVideo | undefined;
}

/** The table of a batch, with players for the finished videos. Before the first batch it shows the plan of the form. */
export function BatchResults({
  batch,
  plan,
  videos,
  models,
  mode,
  mayEdit,
  isSubmitting,
  isInterrupted,
  onResume,
  onRetry,
  onClear,
}: {
  readonly batch: Batch | undefined;
  readonly plan: BatchPlan | undefined;
  readonly videos: readonly GalleryVideo[];
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly isSubmitting: boolean;
  readonly isInterrupted: boolean;
  onResume(): void;
  onRetry(row?: BatchRow): void;
  onClear(): void;
}) {
  if (!batch) {
    const planned = (plan?.videos ?? []).map(({ modelId, prompt, seed, quote, error }, index): ShownRow => ({
      key: String(index),
      modelId,
      prompt,
      seed,
      price: quote?.total,
      error,
    }));
    return planned.length === 0 ? (
      <EmptyState
        icon={Clapperboard}
        title="No videos planned yet"
        description="Each combination of a prompt, a seed and a model is listed here with its price, before anything is submitted."
      />
    ) : (
      <Section id="plan" title="Planned videos">
        <Rows label="Planned videos" rows={planned} models={models} />
      </Section>
    );
  }
  const rows = batch.rows.map((row): ShownRow => {
    const video = videos.find(({ id }) => id === row.videoId);
    return { ...row, key: row.idempotencyKey, row, video };
  });
  const count = (test: (row: ShownRow) => boolean) => rows.filter(test).length;
  const refused = count(({ row }) => row?.state === 'refused');
  const words = [
    `${rows.length} ${rows.length === 1 ? 'video' : 'videos'}`,
    `${count(({ row }) => row?.state === 'submitted')} submitted`,
    `${count(({ video }) => video?.status === 'completed')} completed`,
    ...(count(({ video }) => video?.status === 'failed') > 0
      ? [`${count(({ video }) => video?.status === 'failed')} failed`]
      : []),
    ...(refused > 0 ? [`${refused} refused`] : []),
  ];
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <Section
        id="batch"
        title="Videos of the batch"
        description={<output data-testid="batch-progress">{words.join(' · ')}</output>}
        actions={
          <>
            {mayEdit && isInterrupted && (
              <Button variant="primary" onClick={onResume}>
                <Play size={14} aria-hidden="true" /> Submit the rest
              </Button>
            )}
            {mayEdit && refused > 1 && !isSubmitting && (
              <Button onClick={() => onRetry()}>
                <RotateCcw size={14} aria-hidden="true" /> Try {refused} again
              </Button>
            )}
            {!isSubmitting && (
              <Button onClick={onClear}>
                <X size={14} aria-hidden="true" /> Close the batch
              </Button>
            )}
          </>
        }
      >
        {isInterrupted && (
          <output className="mb-3 block rounded-lg border border-warn/35 bg-warn/8 px-3 py-2.5 text-sm">
            The submission was interrupted. Videos that were submitted already are not submitted again.
          </output>
        )}
        <Rows label="Videos of the batch" rows={rows} models={models} {...(mayEdit && !isSubmitting && { onRetry })} />
      </Section>
      <Players rows={rows} models={models} mode={mode} />
    </div>
  );
}

/** The rows of the table, with two lines each at every width, because a batch may have fifty of them. */
function Rows({
  label,
  rows,
  models,
  onRetry,
}: {
  readonly label: string;
  readonly rows: readonly ShownRow[];
  readonly models: readonly ShownModel[];
  onRetry?(row: BatchRow): void;
}) {
  return (
    <Card>
      <table aria-label={label} className="w-full table-fixed border-collapse text-sm">
        <thead className="sr-only">
          <tr>
            <th scope="col">Video</th>
            <th scope="col">Price</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((each) => (
            <tr key={each.key} className="border-line not-last:border-b">
              <td className="py-2 pl-4">
                <span className="block truncate">{each.prompt}</span>
                <span className="block truncate text-xs text-muted">
                  {tileName(each.modelId, each.seed, models)}
                  <span className="sm:hidden">
                    {' · '}
                    <RowPrice row={each} />
                  </span>
                </span>
                {each.error && <span className="block text-xs text-bad">{each.error}</span>}
                {each.video?.error && <span className="block text-xs text-bad">{each.video.error.message}</span>}
              </td>
              <td className="w-32 px-3 text-right whitespace-nowrap tabular-nums max-sm:hidden">
                <RowPrice row={each} />
              </td>
              <td className="w-36 pr-4 pl-2 text-right">
                <RowStatus row={each} />
                {each.row?.state === 'refused' && onRetry && (
                  <Button size="small" className="my-1" onClick={() => each.row && onRetry(each.row)}>
                    Try again
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function RowPrice({ row: { video, price } }: { readonly row: ShownRow }) {
  if (video) return <VideoCost video={video} />;
  return price === undefined ? '–' : usd(price);
}

function RowStatus({ row: { row, video, error } }: { readonly row: ShownRow }) {
  if (video)
    return (
      <Link href={paths.video(video.id)} prefetch={false} className="rounded-full hover:opacity-80">
        <RequestStatusChip status={video.status} />
      </Link>
    );
  if (!row) return error === undefined ? <Chip tone="neutral">Planned</Chip> : <Chip tone="bad">Not possible</Chip>;
  switch (row.state) {
    case 'waiting':
      return <Chip tone="neutral">Waiting</Chip>;
    case 'sending':
      return <Chip tone="info">Submitting</Chip>;
    case 'refused':
      return <Chip tone="bad">Refused</Chip>;
    case 'submitted':
      return (
        <Link href={paths.video(row.videoId ?? '')} prefetch={false} className={linkClass}>
          Submitted
        </Link>
      );
  }
}

/** The finished videos, with those of the same prompt side by side. */
function Players({
  rows,
  models,
  mode,
}: {
  readonly rows: readonly ShownRow[];
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
}) {
  const groups = new Map<string, ShownRow[]>();
  for (const row of rows) groups.set(row.prompt, [...(groups.get(row.prompt) ?? []), row]);
  const shown = [...groups].filter(([, members]) => members.some(({ video }) => video?.status === 'completed'));
  if (shown.length === 0) return null;
  return (
    <Section id="results" title="Results" description="Videos with the same prompt play together for comparison.">
      <div className="flex flex-col gap-6">
        {shown.map(([name, members]) => (
          <PlayerGroup key={name} name={name} rows={members} models={models} mode={mode} />
        ))}
      </div>
    </Section>
  );
}

function PlayerGroup({
  name,
  rows,
  models,
  mode,
}: {
  readonly name: string;
  readonly rows: readonly ShownRow[];
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
}) {
  const group = useRef<HTMLDivElement>(null);
  const players = () => [...(group.current?.querySelectorAll('video') ?? [])];

  /** Plays all videos from the beginning at the same time. */
  function playTogether() {
    for (const player of players()) {
      player.pause();
      player.currentTime = 0;
    }
    for (const player of players()) void player.play().catch(() => undefined);
  }

  return (
    <section aria-label={name} className="min-w-0">
      <div className="mb-2 flex items-center justify-between gap-3">
        <h3 className="min-w-0 truncate text-sm font-medium">{name}</h3>
        {rows.filter(({ video }) => video?.status === 'completed').length > 1 && (
          <Button size="small" onClick={playTogether}>
            <Play size={13} aria-hidden="true" /> Play together
          </Button>
        )}
      </div>
      <div ref={group} className="grid grid-cols-[repeat(auto-fit,minmax(min(15rem,100%),1fr))] gap-3">
        {rows.map(({ key, modelId, seed, video }) => (
          <figure key={key} className="min-w-0">
            <Result video={video} mode={mode} label={tileName(modelId, seed, models)} />
            <figcaption className="mt-1.5 flex items-center justify-between gap-2 text-xs">
              <span className="min-w-0 truncate">{tileName(modelId, seed, models)}</span>
              {video && (
                <Link href={paths.video(video.id)} prefetch={false} className={linkClass}>
                  Details
                </Link>
              )}
            </figcaption>
          </figure>
        ))}
      </div>
    </section>
  );
}

function Result({
  video,
  mode,
  label,
}: {
  readonly video: GalleryVideo | undefined;
  readonly mode: Mode;
  readonly label: string;
}) {
  const nowMs = useNow();
  const source = video && playableAt(video, mode, nowMs);
  const [width, height] = video ? pixelsOf(video) : [16, 9];
  const style = { aspectRatio: `${width} / ${height}` };
  if (source === undefined)
    return (
      <div
        style={style}
        className="grid w-full place-items-center rounded-lg border border-line bg-sunken text-sm text-muted"
      >
        {video && !isRunning(video) ? 'Failed' : 'In progress'}
      </div>
    );
  return (
    <video
      src={source}
      aria-label={`Video of ${label}`}
      controls
      muted
      loop
      playsInline
      preload="metadata"
      style={style}
      className="w-full rounded-lg bg-black object-contain"
    />
  );
}

function tileName(modelId: string, seed: number | undefined, models: readonly ShownModel[]): string {
  const name = nameOf(modelId, models);
  return seed === undefined ? name : `${name} · seed ${seed}`;
}

function nameOf(modelId: string, models: readonly ShownModel[]): string {
  return models.find(({ model }) => model.id === modelId)?.model.name ?? modelId;
}
