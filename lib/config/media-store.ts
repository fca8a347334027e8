import path from 'node:path';
import { z } from 'zod';
import type { BucketLocation, MediaStoreLocation } from '../domain/files';
import { parseUrl } from '../domain/url';

// Parses the variable MEDIA_STORE.

/** Without a trailing slash. */
export const baseUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

/** A directory, or a bucket without its credentials, which have variables of their own. */
type MediaStorePlace = Exclude<MediaStoreLocation, BucketLocation> | Omit<BucketLocation, 'credentials'>;

export const mediaStore = z.string().transform((text, context): MediaStorePlace => {
  const parsed = parseMediaStore(text);
  if (typeof parsed !== 'string') return parsed;
  context.addIssue(parsed);
  return z.NEVER;
});

const BUCKET_NAME = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
const PREFIX = /^(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?$/;

/** Returns the place that MEDIA_STORE names, or a text that completes the validation error. */
function parseMediaStore(text: string): MediaStorePlace | string {
  if (!/^[a-z\d+.-]+:\/\//i.test(text)) return { kind: 'directory', directory: path.resolve(text) };
  const url = parseUrl(text);
  if (url?.protocol !== 's3:' || url.port !== '' || url.hash !== '')
    return 'must be a directory or a bucket, such as /var/lib/patchbay/media or s3://bucket/prefix?region=eu-central-1';
  if (url.username !== '' || url.password !== '')
    return 'must not contain credentials; set MEDIA_STORE_ACCESS_KEY_ID and MEDIA_STORE_SECRET_ACCESS_KEY';
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  if (!BUCKET_NAME.test(url.hostname) || !PREFIX.test(prefix))
    return 'must name a bucket and a prefix of letters, digits, -, _ and ., as in s3://bucket/prefix';
  const options = z
    .strictObject({
      endpoint: baseUrl.optional(),
      region: z.string().min(1).optional(),
      path_style: z.enum(['true', 'false']).optional(),
    })
    .safeParse(Object.fromEntries(url.searchParams)).data;
  if (!options)
    return 'takes only these options: endpoint (an http:// or https:// URL), region, and path_style (true or false)';
  const { endpoint, region } = options;
  if (endpoint === undefined && region === undefined)
    return 'needs the region of its bucket, as in s3://bucket?region=…';
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix,
    // Servers other than Amazon's ignore the region, but it is a part of every signature.
    region: region ?? 'us-east-1',
    ...(endpoint === undefined ? {} : { endpoint }),
    pathStyle: options.path_style === undefined ? endpoint !== undefined : options.path_style === 'true',
  };
}

/**
 * Adds the credentials to the place. Returns undefined if there is no archive, or if it is a bucket with incomplete
 * credentials.
 */
export function withCredentials(
  place: MediaStorePlace | undefined,
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
): MediaStoreLocation | undefined {
  if (place?.kind !== 's3') return place;
  return accessKeyId && secretAccessKey ? { ...place, credentials: { accessKeyId, secretAccessKey } } : undefined;
}
