import { elevenVoices } from './elevenlabs-voices';
import { speakText } from './speaking';
import type { RecordedSocket, Upstream } from './upstream';
import { goodKey, parseText, say } from './upstream';

/** At most five contexts at a time; what follows a closed context may still come, and does. */
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
  if (!elevenVoices.some(({ voice_id }) => voice_id === voice)) return fail('voice_id_does_not_exist', 'A voice with this id does not exist');
  const contexts = new Map<string, { text: string; isSpeaking: boolean; silence?: () => void }>();

  const speak = (id: string) => {
    const context = contexts.get(id);
    if (!context || context.isSpeaking) return;
    context.isSpeaking = true;
    context.silence = speakText(context.text.trim(), rate, recorded, upstream, {
      piece: (bytes) => say(recorded, upstream, { audio: bytes.toString('base64'), isFinal: null, contextId: id, alignment: null, normalizedAlignment: null }),
      done: () => {
        contexts.delete(id);
        say(recorded, upstream, { contextId: id, is_final: true });
      },
    });
  };

  socket.on('message', (data: Buffer) => {
    const message = parseText(data);
    if (message?.close_socket === true) return socket.close(1000);
    const id = typeof message?.context_id === 'string' ? message.context_id : 'default';
    if (message?.close_context === true) {
      const context = contexts.get(id);
      // A context that has been told everything speaks to its end; one that is closed early stops after what is under way.
      if (context && message.text === undefined && context.isSpeaking) {
        setTimeout(() => {
          context.silence?.();
          contexts.delete(id);
        }, 30);
      } else speak(id);
      return;
    }
    if (typeof message?.text !== 'string') return fail('invalid_message', 'text is required');
    const context = contexts.get(id) ?? { text: '', isSpeaking: false };
    if (!contexts.has(id) && contexts.size >= 5) return fail('max_contexts', 'Too many contexts');
    contexts.set(id, context);
    context.text += message.text;
    if (message.flush === true) speak(id);
  });
}
