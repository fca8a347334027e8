import type { Readable } from 'node:stream';
import type { Account, Caller } from '../domain/caller';
import type { OrgId, VideoId } from '../domain/ids';
import type { NanoUsd } from '../domain/money';
import type { ByteRange, Content } from '../domain/video';
import type { VideoFilter } from '../db/videos';
import type { VideoJson } from './present';
import type { VideoDetails } from './video-details';

// The video use cases as the edges see them; `create-videos.ts` puts them together.

export interface Videos {
  /** Checks, prices, holds and stores a video and its first job in one transaction; no provider has been called when it returns. */
  submit(caller: Caller, submission: Submission): Promise<Submitted>;
  /** The caller's own video of the caller's mode, or `video_not_found`: the same for "not yours" and "does not exist". */
  get(caller: Caller, id: string): Promise<VideoJson>;
  list(account: Account, page: VideoPage): Promise<VideoList>;
  /** The account's videos, newest first, narrowed by a filter, with what a person recognises them by. */
  search(account: Account, search: VideoSearch): Promise<FoundVideos>;
  /** Whose the video is, for somebody who sees both modes of an organisation; `video_not_found` for anybody else's. */
  accountOf(orgId: OrgId, id: string): Promise<Account>;
  /** Everything that is known of one video: how it went, what was asked and sent, what it cost, who was told. */
  details(account: Account, id: string): Promise<VideoDetails>;
  remove(account: Account, id: string): Promise<void>;
  cancel(account: Account, id: string): Promise<VideoJson>;
  /** A body for `POST /v1/videos` that asks for the same video again, media included; `video_not_found` as for `get`. */
  request(account: Account, id: string): Promise<Readonly<Record<string, unknown>>>;
  /** The finished file of a video of the caller's. */
  open(caller: Caller, id: string, choose: ChooseRange, signal: AbortSignal): Promise<VideoContent>;
  /** The same for whoever holds the signed link; `invalid_signature` or `video_expired` otherwise. */
  openSigned(id: string, link: SignedLink, choose: ChooseRange, signal: AbortSignal): Promise<VideoContent>;
  /** Notes how the answer to a submission left the house; feeds the recognition of automatic retries. */
  noteAnswer(submitted: Pick<Submitted, 'id' | 'replayed'>, how: 'finished' | 'closed'): void;
}

export interface Submission {
  /** The parsed body; see `parseVideoRequest`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** True for a form: every value is text, and numbers and booleans are read from it. */
  readonly textOnly: boolean;
  readonly requestId: string;
  readonly idempotencyKey?: string;
  /** An official SDK says with `x-stainless-retry-count` that this is its own repetition. */
  readonly automaticRetry: boolean;
  /** The header `X-Test-Scenario`. */
  readonly scenario?: string;
  /** The price that somebody saw before agreeing; any other is refused with `price_changed`. */
  readonly agreedTotal?: NanoUsd;
}

export interface Submitted {
  readonly id: VideoId;
  readonly video: VideoJson;
  /** True when an earlier submission is answered again. */
  readonly replayed: boolean;
  readonly ignoredParams: readonly string[];
}

export interface VideoPage {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly after?: string;
}

export interface VideoList {
  readonly object: 'list';
  readonly data: readonly VideoJson[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

export interface VideoSearch extends VideoFilter {
  readonly limit: number;
  readonly after?: string;
}

/** A video with what the console's list shows beside it. */
export type FoundVideoJson = VideoJson & {
  /** The first 200 characters. */
  readonly prompt?: string;
  readonly request_id: string;
  /** `name` is absent when the key is gone, or when the console itself asked (`id` is then `console`). */
  readonly key: { readonly id: string; readonly name?: string };
  readonly provider?: string;
};

export type FoundVideos = Omit<VideoList, 'data'> & { readonly data: readonly FoundVideoJson[] };

export interface SignedLink {
  readonly expires: string;
  readonly signature: string;
}

/** Decides, once the file's ETag is known, which part is wanted (If-Range needs the tag first). */
export type ChooseRange = (etag: string) => ByteRange | undefined;

export interface VideoContent extends Content {
  readonly body: Readable;
  readonly etag: string;
  readonly fileName: string;
}
