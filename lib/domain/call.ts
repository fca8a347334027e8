import type { OrgId } from './ids';
import type { Log } from './log';

/** Passed to every call of a provider. */
export interface Call {
  readonly signal: AbortSignal;
  readonly log: Log;
  /**
   * The organisation of the request, for a fair share of the memory for media; absent where the media have an owner.
   */
  readonly orgId?: OrgId;
}
