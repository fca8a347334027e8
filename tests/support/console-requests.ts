import type { RequestJson, RequestPageJson } from '../../lib/contract/requests';
import { manage, withKey } from './console-keys';
import type { Product } from './product';
import { openSocket } from './socket-client';

// Makes messages and spoken texts of a running product as an app does, and reads them from the log of requests.

interface How {
  readonly key?: string;
  readonly scenario?: string;
}

/** Sends a message to the sandbox, with the first test key; returns the request id of the response. */
export async function sendMessage(product: Product, text: string, how: How = {}): Promise<string> {
  const response = await withKey(
    product,
    '/v1/messages',
    how.key ?? product.firstRun.keys.test,
    { model: 'sandbox-text', max_tokens: 50, messages: [{ role: 'user', content: text }] },
    how.scenario === undefined ? {} : { 'x-test-scenario': how.scenario },
  );
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

export interface SpokenText {
  /** Absent if it failed before the first audio. */
  readonly contextId: string | undefined;
  readonly audio: Buffer;
}

/** Speaks a text with the sandbox, with the first test key, and closes the session. `format`: of the audio. */
export async function speakText(
  product: Product,
  input: string,
  { key, scenario, format = 'pcm_16000' }: How & { readonly format?: string } = {},
): Promise<SpokenText> {
  const query = scenario === undefined ? '' : `?scenario=${scenario}`;
  const socket = openSocket(`${product.baseUrl.replace('http', 'ws')}/v1/audio/speech/ws${query}`, {
    key: key ?? product.firstRun.keys.test,
  });
  socket.send({ type: 'tts', model: 'sandbox-tts', input, voice: 'rms', output_format: format });
  const parts: Buffer[] = [];
  let contextId: string | undefined;
  for (;;) {
    const message = await socket.next();
    if (typeof message.context_id === 'string') contextId = message.context_id;
    if (message.type === 'done' || message.type === 'error') break;
    parts.push(Buffer.from(String(message.data), 'base64'));
  }
  socket.cut();
  return { contextId, audio: Buffer.concat(parts) };
}

/** Waits until the log has an ended request that the search finds: it is written a moment after its end. */
export async function loggedRequest(product: Product, search: string): Promise<RequestJson> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const path = `/console/api/requests?mode=test&search=${encodeURIComponent(search)}`;
    const [found] = (await manage<RequestPageJson>(product, 'GET', path)).data;
    if (found?.duration_ms !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`The log has no ended request ${search}.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
