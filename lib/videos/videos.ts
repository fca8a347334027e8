import type {
  FavoriteJson,
  FoundVideoPageJson,
  SubmittedVideoJson,
  VideoDetails,
  VideoJson,
  VideoPageJson,
} from '../contract/videos';
import type { Account, Actor, Caller } from '../domain/caller';
import type { OrgId, VideoId } from '../domain/ids';
import type { Json } from '../domain/json';
import type { NanoUsd } from '../domain/money';
import type { Content, ContentPart } from '../domain/files';
import type { FavoriteOwner, VideoFilter } from '../db/videos';

// The video use cases, as the API and the console call them; `create-videos.ts` builds them.

export interface Videos {
  /**
   * Validates, prices, holds and stores a video and its first job in one transaction. No provider has been called when
   * it returns.
   */
  submit(caller: Caller, submission: Submission): Promise<Submitted>;
  /**
   * Returns a video of the caller's account and mode. Rejects with `video_not_found` for a video of another account and
   * for one that does not exist.
   */
  get(caller: Caller, id: string): Promise<ReadVideo>;
  list(account: Account, page: VideoPage): Promise<VideoPageJson>;
  /**
   * Returns the account's videos that match a filter, newest first, with the fields that the console's list shows.
   * Without `favoritesOf` no video is a favourite.
   */
  search(account: Account, search: VideoSearch): Promise<FoundVideoPageJson>;
  /**
   * Returns the account of a video, for a member who sees both modes of an organisation. Rejects with `video_not_found`
   * for a video of another organisation.
   */
  accountOf(orgId: OrgId, id: string): Promise<Account>;
  /** Returns the owner of the favourites that an actor sees and changes: the person, or for a key its creator. */
  favoriteOwner(actor: Actor): Promise<FavoriteOwner>;
  /** Marks a video of the organisation for this actor, or removes the mark; `video_not_found` for another's. */
  setFavorite(actor: Actor, id: string, favorite: boolean): Promise<FavoriteJson>;
  /** All stored data of one video: its timeline, request, provider requests, cost and webhook deliveries. */
  details(account: Account, id: string): Promise<VideoDetails>;
  remove(account: Account, id: string): Promise<void>;
  cancel(account: Account, id: string): Promise<VideoJson>;
  /**
   * Returns a body for `POST /v1/videos` that requests the same video again, including its media. Rejects as `get`
   * does.
   */
  request(account: Account, id: string): Promise<Readonly<Record<string, unknown>>>;
  /** Opens the finished file of one of the caller's videos. */
  open(caller: Caller, id: string, choose: ChoosePart, signal: AbortSignal): Promise<VideoContent>;
  /** Opens the finished file behind a signed link. Rejects with `invalid_signature` or `video_expired`. */
  openSigned(id: string, link: SignedLink, choose: ChoosePart, signal: AbortSignal): Promise<VideoContent>;
  /**
   * Opens the bytes of a data URL of an order, for its provider, by a signed link. Rejects with `invalid_signature`, or
   * with `video_expired` if the video has ended.
   */
  openMedia(id: string, file: string, link: SignedLink, part: ContentPart, signal: AbortSignal): Promise<MediaContent>;
  /** Whether data URLs are published for providers that take only https URLs. */
  readonly publishesMedia: boolean;
  /**
   * Makes the check of a video due, because its provider reports a change; at most one in two seconds. Resolves to the
   * JSON that the provider expects, if it expects one. Rejects with `invalid_signature`, also for a video that does not
   * exist.
   */
  receiveCallback(id: string, callback: ReceivedCallback): Promise<Json | undefined>;
  /** Records whether the response to a submission was delivered or cut off; automatic retries are recognised by it. */
  recordAnswer(submitted: Pick<Submitted, 'id' | 'replayed'>, how: 'finished' | 'closed'): void;
}

export interface ReceivedCallback {
  /** This installation's signature of the URL. */
  readonly signature: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Reads the body; called only if the signature of the URL is valid. */
  readBody(): Promise<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface ReadVideo {
  readonly video: VideoJson;
  /** The provider that accepted the video and the number of attempts until then; absent if none has accepted it. */
  readonly accepted?: { readonly provider: string; readonly attempts: number };
}

export interface Submission {
  /** The parsed body; see `parseVideoRequest`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** True for a form: every value is text, and numbers and booleans are read from it. */
  readonly textOnly: boolean;
  readonly requestId: string;
  readonly idempotencyKey?: string;
  /** An official SDK marks its own retry with `x-stainless-retry-count`. */
  readonly automaticRetry: boolean;
  /** The header `X-Test-Scenario`. */
  readonly scenario?: string;
  /**
   * The price that the user confirmed; if the current price differs, the submission is refused with `price_changed`.
   */
  readonly agreedTotal?: NanoUsd;
}

export interface Submitted {
  readonly id: VideoId;
  readonly video: SubmittedVideoJson;
  /** True when this is the stored outcome of an earlier submission. */
  readonly replayed: boolean;
  readonly ignoredParams: readonly string[];
}

export interface VideoPage {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly after?: string;
}

export interface VideoSearch extends VideoFilter {
  readonly limit: number;
  readonly after?: string;
}

export interface SignedLink {
  readonly expires: string;
  readonly signature: string;
}

/**
 * Chooses the part when the file's ETag is known, which If-Range and If-None-Match are compared with. `unchanged`: the
 * client already has the file, so it is not opened.
 */
export type ChoosePart = (etag: string) => ContentPart | 'unchanged';

export interface MediaContent extends Content {
  /** Such as `image/png` or `video/mp4`; see `MediaBytes`. */
  readonly contentType: string;
}

export interface VideoContent extends Omit<Content, 'status'> {
  /** 304: the client has the file; it was not opened, and `body` is empty. */
  readonly status: Content['status'] | 304;
  readonly etag: string;
  readonly fileName: string;
}
