import { createHash, webcrypto } from 'node:crypto';
import { videoParameters } from './video-parameters';

// Two requests are the same when their fields have the same values, whatever the whitespace, the field order and the
// spelling of numbers (`"5"` equals `5`, because a form carries only text). Fields that no model reads are not
// compared.

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
