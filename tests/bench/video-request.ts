import type { LoadRequest } from './load';

export const VIDEO_MODEL = 'bench-t2v';
/** The upstream completes a video at once if its prompt contains this. Any other video runs until its deadline. */
export const FINISHED_MARKER = '[[finished]]';
/** With this in its prompt too, a completed video has a file of 100 MB instead of 20 MB. */
export const LARGE_MARKER = '[[large]]';

/** `POST /v1/videos`. `onAccepted` gets the id of the new video. */
export function videoRequest(
  prompt: string,
  onAccepted: (id: string) => void = () => {},
  model = VIDEO_MODEL,
): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/videos',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt, seconds: '5', size: '1280x720' }),
    async findError({ statusCode, body }) {
      const received = await body.text();
      if (statusCode !== 202) return `${statusCode}: ${received.slice(0, 300)}`;
      onAccepted((JSON.parse(received) as { id: string }).id); // Safe: a 202 carries a video.
      return undefined;
    },
  };
}
