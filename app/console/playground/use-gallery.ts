'use client';

import useSWR from 'swr';
import type { VideoDetails } from '../../../lib/contract/videos';
import type { Mode } from '../../../lib/domain/video';
import { useUrlState } from '../components/ui/use-url-state';
import { isRunning } from '../components/video/shown-video';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';
import type { GalleryFilter } from './gallery';
import type { GalleryVideo, GalleryVideos } from './gallery-video';

/** The refresh interval while a video is in progress. */
const FAST_REFRESH_INTERVAL_MS = 1_500;
const SLOW_REFRESH_INTERVAL_MS = 6_000;
const SHOWN_VIDEOS = '60';
const MAX_FAVORITES = '100';

export interface VideoGallery {
  /** The newest videos of the mode, without a filter. */
  readonly videos: readonly GalleryVideo[];
  /** The videos that the gallery lists: all, or the favourites. Undefined while loading for the first time. */
  readonly listed: readonly GalleryVideo[] | undefined;
  readonly listedError: unknown;
  /** The filter of the URL. Here only `favorites` is applied, to `listed`; the component applies the rest. */
  readonly filter: GalleryFilter;
  /** The video of the URL, otherwise the newest. */
  readonly selected: GalleryVideo | undefined;
  /** Why `videos` may be out of date. */
  readonly error: unknown;
  readonly refreshMs: number;
  changeFilter(filter: GalleryFilter): void;
  reload(): Promise<unknown>;
  reloadListed(): void;
  /** Adds a video that was just submitted. */
  add(video: GalleryVideo): Promise<void>;
  markFavorite(video: GalleryVideo, favorite: boolean): void;
  remove(id: string): void;
}

/** The newest videos, or the favourites, and the selected one. Filter and selection are in the URL. */
export function useGallery(mode: Mode, firstVideos: readonly GalleryVideo[]): VideoGallery {
  const { query, change } = useUrlState();
  const list = useSWR(apiPaths.videos(mode, { limit: SHOWN_VIDEOS }), (path) => ask<GalleryVideos>(path), {
    fallbackData: { data: firstVideos },
    keepPreviousData: true,
    refreshInterval: (latest) => refreshIntervalMs(latest?.data ?? []),
  });
  const videos = list.data.data;
  const onlyFavorites = query.get('favorites') === 'true';
  const favorites = useSWR(
    onlyFavorites ? apiPaths.videos(mode, { limit: MAX_FAVORITES, favorite: 'true' }) : null,
    (path) => ask<GalleryVideos>(path),
  );
  const listed = onlyFavorites ? favorites.data?.data : videos;
  const selectedId = query.get('video') ?? undefined;
  const selected = useSelectedVideo(mode, selectedId, videos, listed);

  return {
    videos,
    listed,
    listedError: onlyFavorites ? favorites.error : list.error,
    filter: { status: query.get('status') ?? '', model: query.get('of') ?? '', favorites: onlyFavorites },
    selected,
    error: list.error,
    refreshMs: refreshIntervalMs(videos),
    changeFilter: (filter) =>
      change({ status: filter.status, of: filter.model, favorites: filter.favorites ? 'true' : undefined }, 'replace'),
    reload: () => list.mutate(),
    reloadListed: () => void (onlyFavorites ? favorites : list).mutate(),
    async add(video) {
      await list.mutate((known) => ({ data: [video, ...without(known, video.id)] }), { revalidate: false });
    },
    // Updates both lists, so that a filter or a reload does not show the previous mark.
    markFavorite(video, favorite) {
      void list.mutate(
        (known) => ({ data: (known?.data ?? []).map((each) => (each.id === video.id ? { ...each, favorite } : each)) }),
        { revalidate: false },
      );
      void favorites.mutate();
    },
    remove(id) {
      if (selectedId === id) change({ video: undefined }, 'replace');
      void list.mutate((known) => ({ data: without(known, id) }));
    },
  };
}

/**
 * Returns the video with this id. A link may lead to a video that is older than those in the gallery; that one is
 * fetched.
 */
function useSelectedVideo(
  mode: Mode,
  id: string | undefined,
  videos: readonly GalleryVideo[],
  listed: readonly GalleryVideo[] | undefined,
): GalleryVideo | undefined {
  const known = [...videos, ...(listed ?? [])].find((video) => video.id === id);
  const older = useSWR(
    id !== undefined && !known && listed ? apiPaths.video(id) : null,
    (path) => ask<VideoDetails>(path),
    {
      shouldRetryOnError: false,
      refreshInterval: (latest) => (latest && isRunning(latest) ? FAST_REFRESH_INTERVAL_MS : 0),
    },
  );
  return known ?? (older.data?.mode === mode ? older.data : undefined) ?? (older.isLoading ? undefined : videos[0]);
}

function refreshIntervalMs(videos: readonly GalleryVideo[]): number {
  return videos.some(isRunning) ? FAST_REFRESH_INTERVAL_MS : SLOW_REFRESH_INTERVAL_MS;
}

function without(known: GalleryVideos | undefined, id: string): readonly GalleryVideo[] {
  return (known?.data ?? []).filter((video) => video.id !== id);
}
