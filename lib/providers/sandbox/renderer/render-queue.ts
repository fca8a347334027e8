import type { OrgId, VideoId } from '../../../domain/ids';
import type { VideoStart } from '../../../domain/video';

// The videos that wait for the renderer, in this order: live ones before test ones; within a mode the organisations
// take turns, each with the video that it started first. So a thousand videos of one organisation delay a video of
// another by only one rendering.

/** The maximum number of waiting videos of both modes and all organisations. */
export const MAX_WAITING = 1_000;

interface WaitingVideo {
  readonly owner: VideoStart['owner'];
  /** ISO instant. */
  readonly startedAt: string;
}

export interface RenderQueue {
  has(videoId: VideoId): boolean;
  /**
   * Returns whether the queue is full for this account. An organisation gets another place only while it has no more
   * than are free, so it has at most half of the places, and one is always left for others.
   */
  isFullFor(owner: VideoStart['owner']): boolean;
  add(videoId: VideoId, video: WaitingVideo): void;
  remove(videoId: VideoId): void;
  /** Removes and returns the next video. */
  take(): VideoId | undefined;
  /** Returns the place in the queue: 1 if the video is next and no other arrives; undefined if it does not wait. */
  placeOf(videoId: VideoId): number | undefined;
  clear(): void;
}

export function createRenderQueue(): RenderQueue {
  const waiting = new Map<VideoId, WaitingVideo>();
  /** The number of the turn in which each waiting account was served last. */
  const servedAt = new Map<string, number>();
  let turn = 0;

  const countOf = (orgId: OrgId) => [...waiting.values()].filter(({ owner }) => owner.orgId === orgId).length;

  /** Returns the waiting videos by organisation, the one that was started first at the top. */
  function linesOf(mode: WaitingVideo['owner']['mode']): Map<OrgId, [VideoId, WaitingVideo][]> {
    const lines = new Map<OrgId, [VideoId, WaitingVideo][]>();
    for (const entry of waiting) {
      const { owner } = entry[1];
      if (owner.mode !== mode) continue;
      const line = lines.get(owner.orgId);
      if (line) line.push(entry);
      else lines.set(owner.orgId, [entry]);
    }
    for (const line of lines.values()) line.sort(([, a], [, b]) => compare(a.startedAt, b.startedAt));
    return lines;
  }

  /** Sorts the organisations by their turns; those that were not served yet by the time since which they wait. */
  function inTurn(mode: WaitingVideo['owner']['mode']): [VideoId, WaitingVideo][][] {
    const lastTurn = (orgId: OrgId) => servedAt.get(nameOf({ orgId, mode })) ?? 0;
    return [...linesOf(mode)]
      .sort(
        ([a, [firstOfA]], [b, [firstOfB]]) =>
          lastTurn(a) - lastTurn(b) || compare(firstOfA?.[1].startedAt ?? '', firstOfB?.[1].startedAt ?? ''),
      )
      .map(([, line]) => line);
  }

  function remove(videoId: VideoId): void {
    const video = waiting.get(videoId);
    if (!video) return;
    waiting.delete(videoId);
    const name = nameOf(video.owner);
    if (![...waiting.values()].some(({ owner }) => nameOf(owner) === name)) servedAt.delete(name);
  }

  return {
    has: (videoId) => waiting.has(videoId),
    isFullFor: ({ orgId }) => countOf(orgId) > MAX_WAITING - waiting.size || waiting.size >= MAX_WAITING,
    add: (videoId, video) => void waiting.set(videoId, video),
    remove,
    take() {
      const [next] = inTurn('live')[0] ?? inTurn('test')[0] ?? [];
      if (!next) return undefined;
      const [videoId, { owner }] = next;
      servedAt.set(nameOf(owner), (turn += 1));
      remove(videoId);
      return videoId;
    },
    placeOf(videoId) {
      const video = waiting.get(videoId);
      if (!video) return undefined;
      const lines = inTurn(video.owner.mode);
      const ownLine = lines.findIndex((line) => line[0]?.[1].owner.orgId === video.owner.orgId);
      const own = lines[ownLine]?.findIndex(([id]) => id === videoId) ?? 0;
      const ahead = lines.map((line, at) => Math.min(line.length, at < ownLine ? own + 1 : own));
      const live = video.owner.mode === 'test' ? inTurn('live').flat().length : 0;
      return live + ahead.reduce((sum, each) => sum + each, 0) + 1;
    },
    clear() {
      waiting.clear();
      servedAt.clear();
    },
  };
}

const nameOf = ({ orgId, mode }: WaitingVideo['owner']) => `${orgId} ${mode}`;

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
