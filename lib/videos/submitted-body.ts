import { createHash, webcrypto } from 'node:crypto';
import type { Json } from '../domain/json';
import { videoParameters } from './video-parameters';

// What is stored of the body of a request: a snapshot, and for a submission a fingerprint.
//
// From the snapshot the caller can later see what was received and what was sent to the provider. The input is
// untrusted: fields that nothing reads may have any content, size and depth, and a database refuses some characters. So
// the snapshot has a size limit, and inline media are replaced by a short description.

const MAX_TEXT_CHARS = 32_000;
const MAX_TOTAL_CHARS = 120_000;
const MAX_ENTRIES = 100;
const MAX_DEPTH = 6;
const CUT = '…';

/**
 * Returns a JSON value of at most about 120,000 characters that represents `value`. It equals `value` if that is small
 * and contains neither a data URL nor anything that `redact` replaces.
 */
export function snapshotRequest(value: unknown, redact = (text: string) => text): Json {
  let left = MAX_TOTAL_CHARS;

  function text(value: string): string {
    // Truncate before any other processing: a field that no model reads may hold megabytes.
    const kept = storable(redact(shorten(value).slice(0, MAX_TEXT_CHARS + 1)));
    const fitting =
      kept.length > Math.min(MAX_TEXT_CHARS, left)
        ? kept.slice(0, Math.max(0, Math.min(MAX_TEXT_CHARS, left))).toWellFormed() + CUT
        : kept;
    left -= fitting.length;
    return fitting;
  }

  function keep(value: unknown, depth: number): Json {
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value || 0 : null;
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object') return null;
    if (depth >= MAX_DEPTH || left <= 0) return CUT;
    if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry: unknown) => keep(entry, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, entry]) => entry !== undefined)
        .slice(0, MAX_ENTRIES)
        .map(([name, entry]) => [text(name), keep(entry, depth + 1)]),
    );
  }

  return keep(value, 0);
}

/** Returns `snapshotRequest` of a submission, without the query of the webhook's URL, which may contain a secret. */
export function snapshotSubmission(body: Readonly<Record<string, unknown>>): Json {
  return snapshotRequest(withoutWebhookQuery(body));
}

/** Returns a copy of the body without the query of its webhook's URL. */
export function withoutWebhookQuery(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return typeof body.webhook === 'string' ? { ...body, webhook: body.webhook.replace(/\?.*$/s, `?${CUT}`) } : body;
}

/** Removes the characters that a database text cannot hold. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,200},/i;

/** Returns a data URL as `data:image/png;base64,… (1,234 bytes)`; any other text unchanged. */
function shorten(text: string): string {
  const found = DATA_URL.exec(text);
  if (!found) return text;
  const [head, mediaType = 'text/plain'] = found;
  const base64 = /;base64,$/i.test(head);
  const content = text.length - head.length;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = base64 ? Math.max(0, Math.floor((content * 3) / 4) - padding) : content;
  return `data:${mediaType}${base64 ? ';base64' : ''},${CUT} (${bytes.toLocaleString('en')} bytes)`;
}

// The fingerprint recognises a repeated submission: two are the same when their fields have the same values, whatever
// the whitespace, the field order and the spelling of numbers (`"5"` equals `5`, because a form carries only text).
// Fields that no model reads are not compared.

const numberFields: ReadonlySet<string> = new Set([
  'seconds',
  'width',
  'height',
  'fps',
  'seed',
  'num_videos',
  'input_seconds',
]);
const otherFields = [
  'model',
  'prompt',
  'size',
  'image_url',
  'input_reference',
  'image_list',
  'video_list',
  'reference_videos',
  'video_url',
  'webhook',
];
/** Longer texts are media. They are hashed on Node's thread pool, because a large one takes tens of milliseconds. */
const LONG_TEXT_CHARS = 64 * 1024;

/** Returns the SHA-256, in hexadecimal, of those fields of a body by which requests are compared. */
export async function fingerprintOf(body: Readonly<Record<string, unknown>>): Promise<string> {
  const hashes: Promise<void>[] = [];

  function canonical(value: unknown): unknown {
    if (typeof value === 'string') return value.length > LONG_TEXT_CHARS ? hashed(value) : value;
    if (Array.isArray(value)) return value.map(canonical);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
    return entries
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]);
  }

  /** A placeholder for a text. Its `sha256` is set when the hash is ready. */
  function hashed(text: string): { sha256: string } {
    const place = { sha256: '' };
    hashes.push(
      webcrypto.subtle.digest('SHA-256', Buffer.from(text)).then((hash) => {
        place.sha256 = Buffer.from(hash).toString('hex');
      }),
    );
    return place;
  }

  const fields = [...otherFields, ...numberFields, ...Object.keys(videoParameters)].flatMap((name) => {
    // Own fields only: a body without a field `constructor` must not inherit one.
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return value === undefined || value === null ? [] : [[name, canonical(plain(name, value))]];
  });
  await Promise.all(hashes);
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** Returns a number or a boolean for a field that is one, even if it was sent as text. */
function plain(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (numberFields.has(name)) return /^-?\d{1,16}(\.\d{1,20})?$/.test(value) ? Number(value) : value;
  const isSwitch = Object.hasOwn(videoParameters, name) && videoParameters[name]?.type === 'boolean';
  return isSwitch && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;
}
