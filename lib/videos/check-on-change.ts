import { errorForLog } from '../domain/errors';
import type { Log } from '../domain/log';
import type { Provider } from '../domain/provider';
import type { Queue } from '../jobs/queue';

/**
 * Makes the check of a video due as soon as its provider reports a change of its progress. Returns a function that
 * stops this.
 */
export function checkOnChange({
  providers,
  queue,
  log,
}: {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly queue: Pick<Queue, 'makeDue'>;
  readonly log: Log;
}): () => void {
  const removals = [...providers.values()].map(({ video }) =>
    video?.onChange?.((videoId) => {
      // The regular check comes anyway.
      queue
        .makeDue('video.check', videoId)
        .catch((error: unknown) =>
          log.warn('the check of a video could not be made due', { videoId, error: errorForLog(error) }),
        );
    }),
  );
  return () => removals.forEach((remove) => remove?.());
}
