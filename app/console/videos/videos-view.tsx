'use client';

import { Film } from 'lucide-react';
import Link from 'next/link';
import type { Mode } from '../../../lib/domain/video';
import type { NamedKey } from '../components/list/key-filter';
import { ListBody } from '../components/list/list-body';
import { useList } from '../components/list/use-list';
import { useUrlState } from '../components/ui/use-url-state';
import { buttonClass } from '../components/ui/button-class';
import { Card } from '../components/ui/card';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { Table, type Column } from '../components/ui/table';
import { useDebouncedText } from '../components/ui/use-debounced-text';
import { isRunning } from '../components/video/shown-video';
import type { FoundVideoPageJson } from '../../../lib/contract/videos';
import { paths } from '../paths';
import { isNarrowed, NO_FILTER, parseVideoFilter, searchPath } from './video-filter';
import { VideoFilters } from './video-filters';
import { VideoRow } from './video-row';
import { PageHeading } from '../components/ui/page-heading';

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
  /** The API path for the page's query and the response to it; undefined if the query is invalid. */
  readonly initial: { readonly path: string; readonly found: FoundVideoPageJson } | undefined;
  readonly models: readonly string[];
  readonly keys: readonly NamedKey[];
}

export function VideosView({ mode, initial, models, keys }: VideosViewProps) {
  const { query, change } = useUrlState();
  const filter = parseVideoFilter(query);
  const path = searchPath(mode, filter);
  const list = useList(path, initial, isRunning);
  const narrow = (changes: Readonly<Record<string, string>>) => change({ ...changes, after: undefined });
  const [search, setSearch] = useDebouncedText(filter.search, (q) => change({ q, after: undefined }, 'replace'));
  const clear = () => {
    setSearch('');
    change(NO_FILTER);
  };

  return (
    <>
      <PageHeading title="Videos" description={<>Every {mode} video: how it went, and what it cost.</>} />
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
      <ListBody
        list={list}
        noun="videos"
        isFirst={filter.after === ''}
        onPage={(after) => change({ after })}
        empty={
          isNarrowed(filter) ? (
            <NoMatch
              noun="videos"
              description="Search for a full request id or the start of a video id."
              onClear={clear}
            />
          ) : (
            <NoVideos mode={mode} />
          )
        }
      >
        {(videos) => <VideoTable videos={videos} />}
      </ListBody>
    </>
  );
}

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
