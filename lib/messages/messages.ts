import type { Readable } from 'node:stream';
import type { UnwrittenCharge } from '../billing/ledger';
import type { MessageContentJson } from '../contract/requests';
import type { Account, Caller } from '../domain/caller';
import type { OrgId, ProviderId } from '../domain/ids';
import type { Fields } from '../domain/json';
import type { MessagesModel } from '../domain/model';
import type { MessageEstimate } from './credit/estimate-message';

// The use cases of the messages API as the HTTP handlers see them. `create-messages.ts` composes them.

export interface Messages {
  /**
   * Produces one answer, buffered or as a stream of server-sent events. Resolves when the first content has arrived, or
   * after the commit timeout; until then every failure has its own HTTP status. Rejects with a GatewayError.
   */
  answer(caller: Caller, input: MessagesInput): Promise<Answer>;
  /** Counts the input tokens of a body. Free of charge. */
  count(caller: Caller, input: MessagesInput): Promise<TokenCount>;
  /**
   * Estimates the most that a message can use. Reserves nothing, calls no provider. Throws what `answer` rejects with.
   */
  estimate(model: MessagesModel, values: Fields): MessageEstimate;
  /** Charges of the account that this process has not yet written to the ledger. */
  unwritten(account: Account): readonly UnwrittenCharge[];
  /** Resolves when no message is running any more, at the latest after `withinMs`. */
  ended(withinMs: number): Promise<void>;
  /**
   * Resolves when every finished message has been charged and what is kept of it is stored, or when the database has
   * not responded for several seconds.
   */
  settled(): Promise<void>;
  /**
   * Returns the conversation of a message. Rejects with `message_not_found` if the organisation does not keep it.
   */
  content(orgId: OrgId, id: string): Promise<MessageContentJson>;
  /** Stops the token-counting worker thread. */
  close(): Promise<void>;
}

export interface MessagesInput {
  /** The parsed body. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The bytes from which `values` was parsed. */
  readonly source: Uint8Array;
  /** The header `anthropic-version`. */
  readonly version: string;
  readonly betas: readonly string[];
  readonly requestId: string;
  /** Whether this request is an automatic retry of the client's library. */
  readonly automaticRetry: boolean;
  /** The header `X-Test-Scenario`. */
  readonly scenario: string | undefined;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** Aborts `signal`. */
  abort(reason: unknown): void;
}

interface Answered {
  /** The id of the catalog. */
  readonly model: string;
  readonly provider: ProviderId;
  /** Number of provider calls made for this answer. */
  readonly attempts: number;
  readonly ignoredParams: readonly string[];
}

export type Answer = Answered &
  (
    | { readonly kind: 'message'; readonly json: string }
    | { readonly kind: 'stream'; readonly events: Readable | Buffer }
  );

export interface TokenCount {
  /** The id of the catalog. */
  readonly model: string;
  readonly inputTokens: number;
  readonly source: 'vendor' | 'estimate';
}
