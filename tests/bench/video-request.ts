import type { LoadRequest } from './load';

export const VIDEO_MODEL = 'bench-t2v';
/** A prompt with it is completed at once; any other video runs until its deadline. */
export const FINISHED = '[[finished]]';

/** `POST /v1/videos`; `onAccepted` is told the new video's id. */
export function submission(prompt: string, onAccepted: (id: string) => void = () => {}): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/videos',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: VIDEO_MODEL, prompt, seconds: '5', size: '1280x720' }),
    async error({ statusCode, body }) {
      const told = await body.text();
      if (statusCode !== 202) return `${statusCode}: ${told.slice(0, 300)}`;
      onAccepted((JSON.parse(told) as { id: string }).id); // Safe: a 202 carries a video.
      return undefined;
    },
  };
}
