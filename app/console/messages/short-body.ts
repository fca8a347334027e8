import type { CodeValue } from '../components/code/code-request';
import type { RequestBody } from './request';

const MAX_SHOWN_CHARS = 2_000;
const KEPT_CHARS = 60;

/** Returns the body with shortened images, whose data would fill pages. */
export function shortBody(body: RequestBody): RequestBody {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, short(value)]));
}

/** Whether `shortBody` changes anything. */
export function isLong(body: RequestBody): boolean {
  return JSON.stringify(shortBody(body)).length < JSON.stringify(body).length;
}

function short(value: CodeValue): CodeValue {
  if (Array.isArray(value)) return value.map((each: CodeValue) => short(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, CodeValue>>).map(([name, part]) => [
      name,
      name === 'data' && typeof part === 'string' && part.length > MAX_SHOWN_CHARS
        ? `${part.slice(0, KEPT_CHARS)}… (${part.length.toLocaleString('en')} characters)`
        : short(part),
    ]),
  );
}
