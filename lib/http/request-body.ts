import { GatewayError } from '../domain/errors';
import type { GatewayRequest } from './request-context';
import { parseJsonBody } from './json-body';
import { parseMultipartBody } from './multipart-body';

/** The limit of a body with media. A video of 25 MB is 33.4 MB as a data URL; the rest is for the other fields. */
const MEDIA_BYTES = 36 * 1024 * 1024;
const VIDEO_EXAMPLE = '{"model": "…", "prompt": "…"}';

export interface RequestBody {
  readonly values: Readonly<Record<string, unknown>>;
  /** True for a form: numbers and booleans are text. */
  readonly textOnly: boolean;
}

/**
 * Reads a body in JSON or as a multipart form. Rejects with `unsupported_media_type`, `request_too_large`,
 * `invalid_json`, `invalid_body` or `unsupported_parameter` (an uploaded file).
 */
export async function readRequestBody(request: GatewayRequest): Promise<RequestBody> {
  const contentType = request.headers['content-type'] ?? '';
  const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType === 'application/json') {
    requireUtf8(contentType);
    return { values: parseJsonBody(await request.readBody(MEDIA_BYTES), VIDEO_EXAMPLE), textOnly: false };
  }
  if (mediaType === 'multipart/form-data') {
    return { values: parseMultipartBody(await request.readBody(MEDIA_BYTES), contentType), textOnly: true };
  }
  throw new GatewayError(
    'unsupported_media_type',
    mediaType
      ? 'This Content-Type is not supported. Send application/json or multipart/form-data.'
      : 'The Content-Type is missing. Send the body with Content-Type: application/json (or multipart/form-data).',
  );
}

function requireUtf8(contentType: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new GatewayError('invalid_json', 'JSON is read as UTF-8 only. Send charset=utf-8 or no charset.');
  }
}

/** Returns the error for a body of more than `maxBytes`, which both mounts throw while reading. */
export function bodyTooLarge(maxBytes: number): GatewayError {
  if (maxBytes < 1024 * 1024)
    return new GatewayError('request_too_large', `The body is larger than ${maxBytes / 1024} KiB. Send a shorter one.`);
  const mebibytes = maxBytes / (1024 * 1024);
  return new GatewayError(
    'request_too_large',
    `The body is larger than ${mebibytes} MiB. Send media as https URLs instead of data URLs.`,
  );
}
