// The allowed log fields. An allow-list and not a filter: prompts, transcripts, keys, signed links and provider bodies
// have no field here, so they cannot be logged by mistake.

export interface LogFields {
  requestId?: string;
  orgId?: string;
  keyId?: string;
  videoId?: string;
  deliveryId?: string;
  alertId?: string;
  jobId?: string;
  queue?: string;
  chore?: string;
  migration?: string;
  provider?: string;
  model?: string;
  route?: string;
  method?: string;
  status?: number;
  code?: string;
  attempt?: number;
  ms?: number;
  bytes?: number;
  count?: number;
  costNanoUsd?: string;
  processes?: number;
  connections?: number;
  /** The number of connections that the database server allows. */
  maxConnections?: number;
  host?: string;
  port?: number;
  /** The place and the reason of an error in a file of the operator. */
  reason?: string;
  /** What the operator can do about it, in one sentence of ours. */
  solution?: string;
  /** The part of the process that could not be closed. */
  part?: string;
  /**
   * The class and the stack frames of an unexpected error, and our own words about a provider's failure; never its message
   * where that may quote input.
   */
  error?: string;
}

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
