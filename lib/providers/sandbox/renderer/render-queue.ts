import type { OrgId, VideoId } from '../../../domain/ids';
import type { VideoStart } from '../../../domain/video';

// The videos that wait for the renderer, and their order: live ones before test ones; within a mode the organisations
// take turns, each with the one that was started first. So an organisation with a thousand videos delays one of another
// by a single rendering.

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
   * An organisation gets another place only while it has no more than are free, so one has at most half of them, and
   * there is always one for others.
   */
  isFullFor(owner: VideoStart['owner']): boolean;
  add(videoId: VideoId, video: WaitingVideo): void;
  remove(videoId: VideoId): void;
  /** Removes and returns the next one. */
  take(): VideoId | undefined;
  /** 1 for the one that is next if no other comes; undefined for a video that does not wait. */
  placeOf(videoId: VideoId): number | undefined;
  clear(): void;
}

export function createRenderQueue(): RenderQueue {
  const waiting = new Map<VideoId, WaitingVideo>();
  /** When the accounts that wait were served last, as the number of that turn. */
  const servedAt = new Map<string, number>();
  let turn = 0;

  const countOf = (orgId: OrgId) => [...waiting.values()].filter(({ owner }) => owner.orgId === orgId).length;

  /** The waiting videos of an account, the one that was started first comes first. */
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

  /** In the order of the turns; of organisations that were not served yet, the one that began to wait first. */
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
