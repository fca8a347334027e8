import type {
  DeletedVideoJson,
  SubmittedVideoJson,
  VideoJson,
  VideoPageJson,
  VideoRequestJson,
} from '../contract/videos';
import type { DeliveryPageJson } from '../contract/webhooks';
import { VideoFailedError } from './errors';
import type { RequestOptions, Transport } from './transport';
import { wait } from './wait';

export interface CreateOptions extends RequestOptions {
  /**
   * For 24 hours, the same key and body return the first video again. Default: a random key, so that a retry of this
   * call cannot create a second video.
   */
  readonly idempotencyKey?: string;
}

export interface WaitOptions extends RequestOptions {
  /** Called with every state that is read. */
  readonly onProgress?: (video: VideoJson | SubmittedVideoJson) => void;
  /** Milliseconds between two requests. Default: 2 seconds, and 10 after the first minute. */
  readonly pollMs?: number;
}

export interface ListOptions extends RequestOptions {
  /** The number of videos per page, 1 to 100. Default: 20. */
  readonly limit?: number;
  /** Default: `desc`, the newest first. */
  readonly order?: 'asc' | 'desc';
  /** The `last_id` of the previous page. */
  readonly after?: string;
}

export interface ContentOptions extends RequestOptions {
  /** Such as `bytes=0-1023`. */
  readonly range?: string;
}

const POLL_INTERVAL_MS = 2_000;
const LATER_POLL_INTERVAL_MS = 10_000;
const SHORT_MS = 60_000;

/** Videos: `POST /v1/videos` and the related endpoints. */
export class Videos {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Submits a video. Its price is fixed and held from then on. */
  create(request: VideoRequestJson, options: CreateOptions = {}): Promise<SubmittedVideoJson> {
    const { idempotencyKey = crypto.randomUUID(), headers, signal } = options;
    return this.#transport.json('/v1/videos', {
      method: 'POST',
      body: request,
      isRepeatable: true,
      headers: { ...headers, 'idempotency-key': idempotencyKey },
      signal,
    });
  }

  /** Submits a video and waits for its end. Rejects with a VideoFailedError if it fails. */
  async createAndWait(request: VideoRequestJson, options: CreateOptions & WaitOptions = {}): Promise<VideoJson> {
    const submitted = await this.create(request, options);
    options.onProgress?.(submitted);
    return this.wait(submitted.id, options);
  }

  /**
   * Waits for the end of a video. Rejects with a VideoFailedError if it fails. If the signal is aborted, only the
   * waiting ends; to stop the video, use `cancel`.
   */
  async wait(id: string, options: WaitOptions = {}): Promise<VideoJson> {
    const { onProgress, pollMs, signal } = options;
    for (let waitedMs = 0; ;) {
      const pauseMs = pollMs ?? (waitedMs < SHORT_MS ? POLL_INTERVAL_MS : LATER_POLL_INTERVAL_MS);
      await wait(pauseMs, signal);
      waitedMs += pauseMs;
      const video = await this.retrieve(id, options);
      onProgress?.(video);
      if (video.status === 'completed') return video;
      if (video.status === 'failed') throw new VideoFailedError(video);
    }
  }

  retrieve(id: string, options?: RequestOptions): Promise<VideoJson> {
    return this.#transport.json(pathOf(id), plain(options));
  }

  /** Returns one page. `for await (const video of videos.all())` reads all of them. */
  list({ limit, order, after, ...options }: ListOptions = {}): Promise<VideoPageJson> {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set('limit', String(limit));
    if (order !== undefined) query.set('order', order);
    if (after !== undefined) query.set('after', after);
    return this.#transport.json(`/v1/videos${query.size > 0 ? `?${query}` : ''}`, plain(options));
  }

  /** Yields all videos, page by page. */
  async *all(options: ListOptions = {}): AsyncGenerator<VideoJson, void, undefined> {
    let { after } = options;
    for (;;) {
      const page = await this.list({ ...options, ...(after !== undefined && { after }) });
      yield* page.data;
      if (!page.has_more || page.last_id === null) return;
      after = page.last_id;
    }
  }

  /** Stops a video that has not ended. It is not charged if the provider has not started it or can stop it. */
  cancel(id: string, options?: RequestOptions): Promise<VideoJson> {
    return this.#transport.json(`${pathOf(id)}/cancel`, { method: 'POST', isRepeatable: true, ...plain(options) });
  }

  /** Deletes an ended video with its file. */
  delete(id: string, options?: RequestOptions): Promise<DeletedVideoJson> {
    return this.#transport.json(pathOf(id), { method: 'DELETE', ...plain(options) });
  }

  /** Returns the file as a response that is read as it arrives: `body`, `blob()`, `arrayBuffer()`. */
  content(id: string, { range, headers, signal }: ContentOptions = {}): Promise<Response> {
    return this.#transport.open(`${pathOf(id)}/content`, {
      headers: { ...headers, ...(range !== undefined && { range }) },
      signal,
    });
  }

  /** Lists the webhooks of a video with every attempt. */
  deliveries(id: string, options?: RequestOptions): Promise<DeliveryPageJson> {
    return this.#transport.json(`${pathOf(id)}/webhook_deliveries`, plain(options));
  }
}

const pathOf = (id: string) => `/v1/videos/${encodeURIComponent(id)}`;

/** Removes the options of the method itself. */
const plain = ({ headers, signal }: RequestOptions = {}): RequestOptions => ({ headers, signal });
