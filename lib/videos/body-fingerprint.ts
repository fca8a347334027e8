import { createHash, webcrypto } from 'node:crypto';
import { videoParameters } from './video-parameters';

// Which requests are the same: those whose fields say the same, whatever their spacing, their order and the spelling of their
// numbers (`"5"` is `5`, in a form everything is text). A field that no model reads says nothing.

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
/** Longer texts are media: they are hashed in a thread of Node's pool, because a large one takes tens of milliseconds. */
const LONG_TEXT_CHARS = 64 * 1024;

/** SHA-256, in hexadecimal, of what a body asks for. */
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

  /** The place of a text, which has its hash as soon as that is there. */
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
    // Own fields only: `constructor` of a body without one is not a field.
    const value = Object.hasOwn(body, name) ? body[name] : undefined;
    return value === undefined || value === null ? [] : [[name, canonical(plain(name, value))]];
  });
  await Promise.all(hashes);
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** A number or a boolean, also where it came as text. */
function plain(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (numberFields.has(name)) return /^-?\d{1,16}(\.\d{1,20})?$/.test(value) ? Number(value) : value;
  const isSwitch = Object.hasOwn(videoParameters, name) && videoParameters[name]?.type === 'boolean';
  return isSwitch && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : value;
}
