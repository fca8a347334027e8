import type { Product } from './product';
import { withKey } from './console-keys';

// Creates videos of a running product as an app does.

export interface MadeVideo {
  readonly id: string;
  /** From the response to the submission. */
  readonly requestId: string;
}

/** A small video of the sandbox, with the first test key. */
export async function createVideo(
  product: Product,
  body: Readonly<Record<string, unknown>> = {},
  how: { readonly key?: string; readonly scenario?: string } = {},
): Promise<MadeVideo> {
  const asked = { model: 'sandbox-t2v', prompt: 'a wave', seconds: 1, size: '640x360', ...body };
  const response = await withKey(
    product,
    '/v1/videos',
    how.key ?? product.firstRun.keys.test,
    asked,
    how.scenario === undefined ? {} : { 'x-test-scenario': how.scenario },
  );
  if (response.status !== 202) throw new Error(`The video was refused: ${await response.text()}`);
  const { id } = (await response.json()) as { id: string }; // Safe: the body of a 202 is a video.
  return { id, requestId: response.headers.get('x-request-id') ?? '' };
}

/** Waits until the video is in one of the statuses. */
export async function videoIs(product: Product, id: string, ...statuses: readonly string[]): Promise<void> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const { status } = (await (await withKey(product, `/v1/videos/${id}`, product.firstRun.keys.test)).json()) as {
      status: string;
    }; // Safe: the id is of an existing video.
    if (statuses.includes(status)) return;
    if (performance.now() > deadline) throw new Error(`The video ${id} is still ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
