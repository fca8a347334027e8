'use client';

import { Film } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import type { Mode } from '../../../lib/domain/video';
import type { NamedKey } from '../components/key-filter';
import { useUrlState } from '../components/ui/use-url-state';
import { buttonClass } from '../components/ui/button-class';
import { Card } from '../components/ui/card';
import { ListError, StaleError } from '../components/shell/request-error';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { PageNav } from '../components/ui/page-nav';
import { SkeletonRows } from '../components/ui/skeleton';
import { Table, type Column } from '../components/ui/table';
import { useDebouncedText } from '../components/ui/use-debounced-text';
import { isRunning } from '../components/video/shown-video';
import type { FoundVideoPageJson } from '../../../lib/contract/videos';
import { ask } from '../console-api';
import { paths } from '../paths';
import { isNarrowed, NO_FILTER, parseVideoFilter, searchPath } from './video-filter';
import { VideoFilters } from './video-filters';
import { VideoRow } from './video-row';

const FAST_REFRESH_INTERVAL_MS = 1_500;
const SLOW_REFRESH_INTERVAL_MS = 5_000;

const COLUMNS: readonly Column[] = [
  { title: 'Video' },
  { title: 'Status' },
  { title: 'Time taken', align: 'right' },
  { title: 'Length and size', align: 'right' },
  { title: 'Key' },
  { title: 'Cost', align: 'right' },
  { title: 'Created', align: 'right' },
];

export interface VideosViewProps {
  readonly mode: Mode;
  /** The API path of the page's URL and its response. */
  readonly initial: { readonly path: string; readonly found: FoundVideoPageJson } | undefined;
  readonly models: readonly string[];
  readonly keys: readonly NamedKey[];
}

export function VideosView({ mode, initial, models, keys }: VideosViewProps) {
  const { query, change } = useUrlState();
  const filter = parseVideoFilter(query);
  const path = searchPath(mode, filter);
  const {
    data: latest,
    error,
    isLoading,
    mutate,
  } = useSWR<Answered, unknown>(
    path,
    async (asked: string) => ({ path: asked, ...(await ask<FoundVideoPageJson>(asked)) }),
    {
      ...(path === initial?.path ? { fallbackData: { path, ...initial.found } } : {}),
      // Keeps the previous list while loading, so that the page does not flash.
      keepPreviousData: true,
      refreshInterval: (latest) => (latest?.data.some(isRunning) ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS),
    },
  );
  const data = latest?.path === path ? latest : undefined;
  const isLate = useLate(!data && error === undefined);
  const narrow = (changes: Readonly<Record<string, string>>) => change({ ...changes, after: undefined });
  const [search, setSearch] = useDebouncedText(filter.search, (q) => change({ q, after: undefined }, 'replace'));
  const clear = () => {
    setSearch('');
    change(NO_FILTER);
  };

  return (
    <>
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Videos</h1>
      <p className="mt-0.5 mb-5 text-sm text-muted">Every {mode} video: how it went, and what it cost.</p>
      <div className="mb-4">
        <VideoFilters
          filter={filter}
          models={models}
          keys={keys}
          search={search}
          onSearch={setSearch}
          onChange={narrow}
        />
      </div>
      <output aria-live="polite" className="sr-only">
        {data ? `${data.data.length}${data.has_more ? ' or more' : ''} videos` : ''}
      </output>
      <div className="flex flex-col gap-4">
        {data && <StaleError error={error} onRetry={() => void mutate()} />}
        {!data && error !== undefined && <ListError error={error} busy={isLoading} onRetry={() => void mutate()} />}
        {!data &&
          error === undefined &&
          (isLate || !latest ? (
            <SkeletonRows rows={8} label="Loading videos" late={!isLate} />
          ) : (
            latest.data.length > 0 && <VideoTable videos={latest.data} />
          ))}
        {data && data.data.length > 0 && <VideoTable videos={data.data} />}
        {data?.data.length === 0 &&
          filter.after === '' &&
          (isNarrowed(filter) ? (
            <NoMatch
              noun="videos"
              description="Search for a full request id or the start of a video id."
              onClear={clear}
            />
          ) : (
            <NoVideos mode={mode} />
          ))}
        {data && (filter.after !== '' || data.has_more) && (
          <PageNav
            label="Pages of videos"
            isFirst={filter.after === ''}
            next={data.has_more ? data.last_id : null}
            onChange={(after) => change({ after })}
          />
        )}
      </div>
    </>
  );
}

/** A response with the path that it belongs to. */
type Answered = FoundVideoPageJson & { readonly path: string };

function VideoTable({ videos }: { readonly videos: FoundVideoPageJson['data'] }) {
  return (
    <Card>
      <Table label="Videos" columns={COLUMNS}>
        {videos.map((video) => (
          <VideoRow key={video.id} video={video} />
        ))}
      </Table>
    </Card>
  );
}

const LATE_MS = 150;

/** True after `waiting` has been true for LATE_MS. */
function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const timer = window.setTimeout(() => setLate(true), LATE_MS);
    return () => {
      window.clearTimeout(timer);
      setLate(false);
    };
  }, [waiting]);
  return waiting && late;
}

function NoVideos({ mode }: { readonly mode: Mode }) {
  return (
    <EmptyState
      icon={Film}
      title={`No ${mode} videos yet`}
      description="Videos appear here as soon as an app with a key of this mode, or you in the playground, requests one."
    >
      <Link href={paths.playground()} prefetch={false} className={buttonClass({ variant: 'primary' })}>
        Open the playground
      </Link>
    </EmptyState>
  );
}
