import { GatewayError, isGatewayError } from '../domain/errors';
import type { ErrorCode } from '../domain/error-rules';

// The reasons why a request to a customer's URL fails: one word for the record of attempts, with the public error code
// and the message. A message contains only what the customer sent us, never what we found out about the URL.

export interface UrlUse {
  readonly purpose: 'media' | 'webhook' | 'file';
  /** The request field that contains the URL. */
  readonly param?: string;
}

export type OutboundReason =
  | 'not_allowed'
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'reset'
  | 'protocol'
  | 'redirect'
  | 'too_large'
  | 'encoding';

const codes: Readonly<Partial<Record<OutboundReason, ErrorCode>>> = {
  not_allowed: 'url_not_allowed',
  too_large: 'media_too_large',
  encoding: 'media_invalid',
};

const endings: Readonly<Record<Exclude<OutboundReason, 'not_allowed' | 'too_large'>, string>> = {
  timeout: 'did not answer in time. Check that the server is reachable and fast enough.',
  dns: 'has a host name that could not be resolved. Check the spelling.',
  refused: 'refused the connection. Check that the server is running.',
  unreachable: 'could not be reached. Check that the server is on the internet.',
  tls: 'has a certificate that could not be verified. Use one of a public authority that is still valid.',
  reset: 'closed the connection before its answer was complete. Try again.',
  protocol: 'did not answer with valid HTTP.',
  redirect: 'redirects too often. Give the final URL.',
  encoding: 'answered in a content encoding that is not supported. Use none, gzip, deflate or br.',
};

export class OutboundError extends GatewayError {
  constructor(
    readonly reason: OutboundReason,
    use: UrlUse,
    message: string,
    /** The checked address of the request; never one that was refused. */
    readonly address?: string,
  ) {
    super(codes[reason] ?? 'media_unreachable', message, use.param === undefined ? {} : { param: use.param });
  }
}

/** Recognises an OutboundError from any copy of this module. */
export function isOutboundError(error: unknown): error is OutboundError {
  return isGatewayError(error) && 'reason' in error;
}

/** Returns the start of an error message: the field with the URL, or the purpose of the URL. */
export function subjectOf(use: UrlUse): string {
  return use.param ?? `The ${use.purpose} URL`;
}

/** Returns the error with a message for the caller who sent the URL. `address` is for the log. */
export function outboundFailed(reason: keyof typeof endings, use: UrlUse, address?: string): OutboundError {
  return new OutboundError(reason, use, `${subjectOf(use)} ${endings[reason]}`, address);
}

export function fileTooLarge(use: UrlUse, maxBytes: number, address?: string): OutboundError {
  const megabytes = Math.floor(maxBytes / 1024 / 1024);
  const limit = megabytes > 0 ? `${megabytes} MB` : `${maxBytes} bytes`;
  return new OutboundError(
    'too_large',
    use,
    `${subjectOf(use)} leads to a file that is larger than ${limit}. Use a smaller one.`,
    address,
  );
}

const reasonsByCode: Readonly<Record<string, keyof typeof endings>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_CLOSED: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
};

/** Returns the reason of an error of a socket or the HTTP client; undefined for any other error, which is our bug. */
export function transportReason(error: unknown): keyof typeof endings | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const known = reasonsByCode[code];
  if (known !== undefined) return known;
  if (/CERT|^ERR_TLS_|^ERR_SSL_|^UNABLE_TO_|^CRL_/.test(code)) return 'tls';
  // Errors of the HTTP parser have a name and not always a code.
  if (error.name === 'HTTPParserError') return 'protocol';
  if (code.startsWith('UND_ERR_') && code !== 'UND_ERR_INVALID_ARG') return 'protocol';
  return 'syscall' in error ? 'unreachable' : undefined;
}
