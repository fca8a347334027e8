// What may be logged is a list, not a filter: prompts, transcripts, keys, signed links and upstream bodies have no field
// here, so they cannot be written by mistake.

export interface LogFields {
  requestId?: string;
  orgId?: string;
  keyId?: string;
  videoId?: string;
  deliveryId?: string;
  jobId?: string;
  queue?: string;
  chore?: string;
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
  host?: string;
  port?: number;
  variable?: string;
  /** Of the process: what failed to be closed. */
  part?: string;
  /** The class and the stack frames of an unexpected error of ours; never its text when it may quote input. */
  error?: string;
}

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}
