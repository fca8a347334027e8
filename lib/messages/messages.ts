import type { Readable } from 'node:stream';
import type { UnwrittenCharge } from '../billing/ledger';
import type { Account, Caller } from '../domain/caller';
import type { HangUp } from '../domain/call';
import type { ProviderId } from '../domain/ids';

// The use cases of the messages API as the edges see them; `create-messages.ts` puts them together.

export interface Messages {
  /**
   * One answer, whole or as a stream of server-sent events. Resolves when something has been said (or nothing for too long a
   * time), so that until then every failure has a status of its own. Rejects with a GatewayError.
   */
  answer(caller: Caller, input: MessagesInput): Promise<Answer>;
  /** The input tokens of a body; free. */
  count(caller: Caller, input: MessagesInput): Promise<TokenCount>;
  /** What messages of the account have used in this process and is not in the ledger yet. */
  unwritten(account: Account): readonly UnwrittenCharge[];
  /** Resolves when no message runs any more, at the latest after `withinMs`. */
  ended(withinMs: number): Promise<void>;
  /** Resolves when every message that is over has been charged, or the database did not answer for some seconds. */
  settled(): Promise<void>;
  /** Ends the thread that counts tokens. */
  close(): Promise<void>;
}

export interface MessagesInput {
  /** The parsed body. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The bytes that it was parsed from. */
  readonly source: Uint8Array;
  /** `anthropic-version`. */
  readonly version: string;
  readonly betas: readonly string[];
  readonly requestId: string;
  /** The client says that it repeats by itself, and that this is a repetition. */
  readonly automaticRetry: boolean;
  /** The header `X-Test-Scenario`. */
  readonly scenario: string | undefined;
  readonly hangUp: HangUp;
}

interface Answered {
  readonly provider: ProviderId;
  /** Calls of providers that it took. */
  readonly attempts: number;
  readonly ignoredParams: readonly string[];
}

export type Answer = Answered &
  ({ readonly kind: 'message'; readonly json: string } | { readonly kind: 'stream'; readonly events: Readable });

export interface TokenCount {
  readonly inputTokens: number;
  readonly source: 'vendor' | 'estimate';
}
