import { elevenVoices } from './elevenlabs-voices';
import { speakText } from './speaking';
import type { RecordedSocket, Upstream } from './upstream';
import { goodKey, parseText, say } from './upstream';

/** At most five contexts at a time; audio of a closed context may still arrive, and does. */
export function speakMulti(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket, url, headers } = recorded;
  const [, voice, way] = /^\/v1\/text-to-speech\/([^/]+)\/(multi-stream-input)$/.exec(url.pathname) ?? [];
  const rate = Number(/^pcm_(\d+)$/.exec(url.searchParams.get('output_format') ?? '')?.[1] ?? 24_000);
  const fail = (code: string, text: string) => {
    say(recorded, upstream, { error: code, message: text, code: 1008 });
    socket.close(1008, code);
  };
  if (headers['xi-api-key'] !== goodKey) return fail('invalid_api_key', 'Invalid API key');
  if (way === undefined || !url.searchParams.get('model_id')) return fail('invalid_request', 'Not a stream');
  if (!elevenVoices.some(({ voice_id }) => voice_id === voice))
    return fail('voice_id_does_not_exist', 'A voice with this id does not exist');
  const contexts = new Map<string, { text: string; isSpeaking: boolean; isClosed: boolean; hasSpoken: boolean }>();

  const named = (id: string) => (upstream.errors.otherSpelling ? { context_id: id } : { contextId: id });
  const finish = (id: string) => {
    const context = contexts.get(id);
    // A context reports its end only after it has been closed.
    if (!context?.isClosed || !context.hasSpoken) return;
    contexts.delete(id);
    say(recorded, upstream, { ...named(id), is_final: true });
  };
  const speak = (id: string) => {
    const context = contexts.get(id);
    if (!context || context.isSpeaking) return;
    context.isSpeaking = true;
    speakText(context.text.trim(), rate, recorded, upstream, {
      piece: (bytes) =>
        say(recorded, upstream, {
          audio: bytes.toString('base64'),
          isFinal: null,
          ...named(id),
          alignment: null,
          normalizedAlignment: null,
        }),
      done: () => {
        context.hasSpoken = true;
        finish(id);
      },
    });
  };

  socket.on('message', (data: Buffer) => {
    const message = parseText(data);
    if (message?.close_socket === true) return socket.close(1000);
    const id = typeof message?.context_id === 'string' ? message.context_id : 'default';
    const context = contexts.get(id) ?? { text: '', isSpeaking: false, isClosed: false, hasSpoken: false };
    if (message?.close_context === true) {
      if (!contexts.has(id)) return;
      context.isClosed = true;
      speak(id);
      return finish(id);
    }
    if (typeof message?.text !== 'string') return fail('invalid_message', 'text is required');
    if (context.isClosed) return fail('context_closed', 'The context is closed');
    if (!contexts.has(id) && contexts.size >= 5) return fail('max_active_conversations', 'Too many contexts');
    contexts.set(id, context);
    context.text += message.text;
    if (message.flush === true) speak(id);
  });
}
