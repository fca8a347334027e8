import { request } from 'undici';

// The raw HTTP response, for what clients hide: headers, bytes, and how a stream ends.

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The connection broke before the end. */
  readonly broken: boolean;
}

export async function sendRaw(
  baseUrl: string,
  key: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  path = '/v1/messages',
): Promise<RawAnswer> {
  const answer = await request(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  let text = '';
  let broken = false;
  answer.body.setEncoding('utf8');
  try {
    for await (const chunk of answer.body) text += String(chunk);
  } catch {
    broken = true;
  }
  return { status: answer.statusCode, headers: answer.headers, text, broken };
}

/** The events of a stream, as they are in the body. */
export function eventsOf(text: string): { readonly event: string; readonly data: Record<string, unknown> }[] {
  return text
    .split('\n\n')
    .filter((part) => part !== '' && !part.startsWith(':'))
    .map((part) => {
      const [eventLine = '', dataLine = ''] = part.split('\n');
      if (!eventLine.startsWith('event: ') || !dataLine.startsWith('data: '))
        throw new Error(`This is not an event: ${part}`);
      return { event: eventLine.slice(7), data: JSON.parse(dataLine.slice(6)) as Record<string, unknown> };
    });
}

export function userTurn(model: string, text: string, more: Readonly<Record<string, unknown>> = {}) {
  return { model, max_tokens: 1_000, stream: true, messages: [{ role: 'user', content: text }], ...more };
}
