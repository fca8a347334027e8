'use client';

import { ChevronDown, Film, Images } from 'lucide-react';
import type { Mode } from '../../../lib/domain/video';
import { FavoriteFilter } from '../components/list/favorite-filter';
import { ListError } from '../components/shell/request-error';
import { EmptyState, NoMatch } from '../components/ui/list-states';
import { LoadingArea, Skeleton } from '../components/ui/skeleton';
import { inputClass } from '../components/ui/input-class';
import { classNames } from '../components/ui/class-names';
import { GalleryCard } from './gallery-card';
import type { GalleryVideo } from './gallery-video';
import type { VideoActions } from './stage';
import { requestStatuses } from '../components/request/request-status-chip';

export interface GalleryFilter {
  readonly status: string;
  readonly model: string;
  /** Whether only favourites are shown; `videos` are then the favourites. */
  readonly favorites: boolean;
}

export interface GalleryProps {
  /** Undefined while loading for the first time. */
  readonly videos: readonly GalleryVideo[] | undefined;
  readonly error: unknown;
  readonly selectedId: string | undefined;
  readonly filter: GalleryFilter;
  readonly mode: Mode;
  readonly mayEdit: boolean;
  readonly actions: VideoActions;
  onFilter(filter: GalleryFilter): void;
  onSelect(video: GalleryVideo): void;
  onReload(): void;
  onFavorite(video: GalleryVideo, favorite: boolean): void;
}

/** Earlier videos, newest first. */
export function Gallery({
  videos,
  error,
  selectedId,
  filter,
  mode,
  mayEdit,
  actions,
  onFilter,
  onSelect,
  onReload,
  onFavorite,
}: GalleryProps) {
  if (!videos) {
    if (error !== undefined) return <ListError error={error} onRetry={onReload} />;
    return (
      <LoadingArea label="Loading your videos" className="flex flex-col gap-3">
        {[0, 1, 2].map((index) => (
          <Skeleton key={index} className="aspect-video w-full rounded-lg" />
        ))}
      </LoadingArea>
    );
  }
  if (videos.length === 0 && !filter.favorites)
    return (
      <EmptyState
        icon={Film}
        title="No videos yet"
        description={`What you generate in ${mode} mode stays here until it expires or you delete it.`}
      />
    );

  const models = [...new Set(videos.map(({ model }) => model))].sort();
  const shown = videos.filter(
    (video) =>
      (filter.status === '' || filter.status === video.status) && (filter.model === '' || filter.model === video.model),
  );
  return (
    <div className="flex flex-col gap-3">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] gap-1.5">
        <Filter
          label="Status"
          value={filter.status}
          all="All statuses"
          options={Object.entries(requestStatuses).map(([value, { word }]) => [value, word] as const)}
          onChange={(status) => onFilter({ ...filter, status })}
        />
        <Filter
          label="Model"
          value={filter.model}
          all="All models"
          options={models.map((model) => [model, model] as const)}
          onChange={(model) => onFilter({ ...filter, model })}
        />
        <FavoriteFilter small value={filter.favorites} onChange={(favorites) => onFilter({ ...filter, favorites })} />
      </div>
      <output className="sr-only">{`${shown.length} ${shown.length === 1 ? 'video' : 'videos'} shown`}</output>
      {shown.length === 0 ? (
        <NoMatch noun="videos" onClear={() => onFilter({ status: '', model: '', favorites: false })} />
      ) : (
        <ul aria-label="Your videos" className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-3">
          {shown.map((video) => (
            <GalleryCard
              key={video.id}
              video={video}
              mode={mode}
              mayEdit={mayEdit}
              isSelected={video.id === selectedId}
              actions={actions}
              onSelect={() => onSelect(video)}
              onFavorite={(favorite) => onFavorite(video, favorite)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function Filter({
  label,
  value,
  all,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly all: string;
  readonly options: readonly (readonly [string, string])[];
  onChange(value: string): void;
}) {
  return (
    <span className="relative">
      <select
        aria-label={`Filter by ${label.toLowerCase()}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={classNames(inputClass, 'h-8 appearance-none truncate pr-6 pl-2.5 text-xs')}
      >
        <option value="">{all}</option>
        {options.map(([option, word]) => (
          <option key={option} value={option}>
            {word}
          </option>
        ))}
      </select>
      <ChevronDown
        size={13}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2 my-auto text-muted"
      />
    </span>
  );
}

/** The heading of the gallery, for the sidebar and the drawer. */
export function GalleryHeading({ count }: { readonly count: number | undefined }) {
  return (
    <h2 className="flex items-center gap-2 text-sm font-semibold">
      <Images size={15} aria-hidden="true" className="text-muted" /> History
      {count !== undefined && count > 0 && <span className="text-xs font-normal text-muted tabular-nums">{count}</span>}
    </h2>
  );
}
