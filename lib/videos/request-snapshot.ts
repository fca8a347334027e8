import type { Json } from '../domain/json';

// A request is kept so that its maker can see later what was asked and what was sent on. It is anybody's text: fields that we
// never look at may hold anything, of any size and depth, and a database refuses some characters. So it is kept up to a
// measure, and media that came inside the request are replaced by a note of what they were.

const MAX_TEXT_CHARS = 32_000;
const MAX_TOTAL_CHARS = 120_000;
const MAX_ENTRIES = 100;
const MAX_DEPTH = 6;
const CUT = '…';

/** A JSON value of at most some 120,000 characters that stands for `value`; the same when it is small and brings no data URL. */
export function keptRequest(value: unknown): Json {
  let left = MAX_TOTAL_CHARS;

  function text(value: string): string {
    // Cut before it is looked through: a field that no model reads may hold megabytes.
    const kept = storable(shorten(value).slice(0, MAX_TEXT_CHARS + 1));
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

/** The same for the body of a submission. The query of a webhook's address may hold a secret, and is not repeated here. */
export function snapshotSubmission(body: Readonly<Record<string, unknown>>): Json {
  return keptRequest(withoutWebhookQuery(body));
}

/** The same body with the query of its webhook's address cut away. */
export function withoutWebhookQuery(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return typeof body.webhook === 'string' ? { ...body, webhook: body.webhook.replace(/\?.*$/s, `?${CUT}`) } : body;
}

/** Without what a database's text cannot hold. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?[^,]{0,200},/i;

/** A data URL as `data:image/png;base64,… (1,234 bytes)`; any other text as it is. */
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
