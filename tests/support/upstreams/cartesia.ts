import { speakText } from './speaking';
import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, goodKey, parseText, say } from './upstream';

// A fake of Cartesia: many contexts on one socket, a cancel that does not stop running speech, voices over HTTP.

export const storedVoices = [
  { id: 'f786b574-daa5-4673-aa0c-cbe3e8534c02', name: 'Katie', language: 'en' },
  { id: '11111111-2222-4333-8444-555555555555', name: 'Marta', language: 'es' },
  { id: '66666666-7777-4888-8999-000000000000', name: 'Marta', language: 'de' },
];

export function createCartesia(options: { readonly contexts?: number } = {}): Promise<Upstream> {
  return createUpstream({
    checkUpgrade(url, headers) {
      if (!(headers['cartesia-version'] ?? url.searchParams.get('cartesia_version'))) return { status: 400 };
      return isKnown(headers, url) ? undefined : { status: 401 };
    },
    sockets: { '/tts/websocket': (recorded, upstream) => speak(recorded, upstream, options.contexts ?? 15) },
    answer({ url, headers }) {
      if (!headers['cartesia-version']) return { status: 400, body: { title: 'Missing version' } };
      if (!isKnown(headers, url)) return { status: 401, body: { title: 'Unauthorized' } };
      if (url.pathname !== '/voices') return undefined;
      // One page has all voices; the page after any of them is empty.
      if (url.searchParams.has('starting_after')) return { status: 200, body: { data: [], has_more: false } };
      const query = url.searchParams.get('q')?.toLowerCase() ?? '';
      const data = storedVoices
        .filter(({ name }) => name.toLowerCase().includes(query))
        .map((voice) => ({
          ...voice,
          description: `${voice.name} speaks.`,
          is_owner: false,
          access: 'public',
          created_at: '2026-01-01T00:00:00Z',
        }));
      return { status: 200, body: { data, has_more: false, next_page: null } };
    },
  });
}

const isKnown = (headers: Readonly<Record<string, unknown>>, url: URL) =>
  headers.authorization === `Bearer ${goodKey}` ||
  headers['x-api-key'] === goodKey ||
  url.searchParams.get('api_key') === goodKey;

function speak(recorded: RecordedSocket, upstream: Upstream, mostContexts: number): void {
  const running = new Set<string>();
  const refuse = (status: number, title: string, contextId?: string) =>
    say(recorded, upstream, {
      type: 'error',
      ...(contextId !== undefined && { context_id: contextId }),
      status_code: status,
      done: true,
      title,
      message: `${title}.`,
      error_code: 'refused',
      request_id: 'r',
    });

  recorded.socket.on('message', (data: Buffer) => {
    const message = parseText(data);
    if (!message) return refuse(400, 'Not JSON');
    const contextId = typeof message.context_id === 'string' ? message.context_id : undefined;
    // Running speech continues: a cancel removes only waiting texts, and there are none here.
    if (message.cancel === true) {
      if (upstream.errors.errorOnCancel) setTimeout(() => refuse(500, 'Too late', contextId), 5);
      return;
    }
    const format = message.output_format as { container?: string; encoding?: string; sample_rate?: number } | undefined;
    const voice = message.voice as { mode?: string; id?: string } | undefined;
    if (contextId === undefined) return refuse(400, 'context_id is required');
    if (typeof message.model_id !== 'string') return refuse(400, 'model_id is required', contextId);
    if (typeof message.transcript !== 'string' || message.transcript.trim() === '')
      return refuse(400, 'transcript is required', contextId);
    if (format?.container !== 'raw' || typeof format.sample_rate !== 'number' || !format.encoding)
      return refuse(400, 'output_format is not valid', contextId);
    if (!storedVoices.some(({ id }) => id === voice?.id)) return refuse(404, 'Voice not found', contextId);
    if (message.language === 'xx') return refuse(400, 'The language is not supported', contextId);
    if (running.has(contextId)) return refuse(400, 'The context is in use', contextId);
    if (running.size >= mostContexts) return refuse(429, 'Too many contexts', contextId);
    running.add(contextId);
    speakText(message.transcript, format.sample_rate, recorded, upstream, {
      piece: (bytes) =>
        say(recorded, upstream, {
          type: 'chunk',
          context_id: contextId,
          status_code: 206,
          done: false,
          step_time: 12.3,
          data: bytes.toString('base64'),
        }),
      done: () => {
        running.delete(contextId);
        say(recorded, upstream, { type: 'done', context_id: contextId, status_code: 200, done: true });
      },
    });
  });
}
