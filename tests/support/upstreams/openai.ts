import type { ScriptWord } from './script';
import { ScriptedTranscript, textOf } from './script';
import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, dropWhenDue, finishLater, goodKey, parseText, say } from './upstream';

// A fake of OpenAI's realtime transcription: one sample rate, items for stretches of speech, deltas that add up, errors
// that usually do not end the session.

const BYTES_PER_SECOND = 48_000;
const STRETCH = 5;

export function createOpenAi(): Promise<Upstream> {
  return createUpstream({
    checkUpgrade: (_url, headers) => (headers.authorization === `Bearer ${goodKey}` ? undefined : { status: 401 }),
    sockets: { '/v1/realtime': listen },
  });
}

function listen(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket } = recorded;
  const transcript = new ScriptedTranscript(BYTES_PER_SECOND);
  let committedBytes = 0;
  let item = 0;
  let isConfigured = false;
  const tell = (type: string, fields: object = {}) =>
    say(recorded, upstream, { type, event_id: `e${recorded.times.length}`, ...fields });
  const refuse = (code: string, text: string, eventId?: unknown) =>
    tell('error', {
      error: {
        type: 'invalid_request_error',
        code,
        message: text,
        param: null,
        event_id: typeof eventId === 'string' ? eventId : null,
      },
    });
  tell('session.created', { session: { type: 'transcription' } });

  const transcribe = (words: readonly ScriptWord[]) => {
    const id = `item_${++item}`;
    committedBytes = transcript.bytes;
    tell('input_audio_buffer.speech_started', { item_id: id, audio_start_ms: words[0]?.startMs ?? 0 });
    tell('input_audio_buffer.speech_stopped', { item_id: id, audio_end_ms: words.at(-1)?.endMs ?? 0 });
    tell('input_audio_buffer.committed', { item_id: id, previous_item_id: item > 1 ? `item_${item - 1}` : null });
    for (const [index, { text }] of words.entries())
      tell('conversation.item.input_audio_transcription.delta', {
        item_id: id,
        content_index: 0,
        delta: index === 0 ? text : ` ${text}`,
      });
    tell('conversation.item.input_audio_transcription.completed', {
      item_id: id,
      content_index: 0,
      transcript: textOf(words),
      usage: { type: 'duration', seconds: words.length * 0.3 },
    });
  };

  socket.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? undefined : parseText(data);
    switch (message?.type) {
      case 'session.update': {
        const { session } = message as {
          session?: {
            type?: string;
            audio?: { input?: { format?: { type?: string; rate?: number }; transcription?: { model?: string } } };
          };
        };
        const input = session?.audio?.input;
        if (session?.type !== 'transcription' || !input?.transcription?.model)
          return refuse('invalid_value', 'The session is not valid.', message.event_id);
        if (input.format?.type === 'audio/pcm' && input.format.rate !== 24_000)
          return refuse('invalid_value', 'The rate must be 24000.', message.event_id);
        isConfigured = true;
        return tell('session.updated', { session });
      }
      case 'input_audio_buffer.append':
        if (!isConfigured || typeof message.audio !== 'string')
          return refuse('invalid_value', 'No audio.', message.event_id);
        transcript.receive(Buffer.byteLength(message.audio, 'base64'));
        if (dropWhenDue(recorded, upstream, transcript.seconds)) return;
        if (transcript.count - transcript.finished >= STRETCH) transcribe(transcript.finish());
        return;
      case 'input_audio_buffer.commit':
        return finishLater(upstream, () => {
          const pendingMs = ((transcript.bytes - committedBytes) / BYTES_PER_SECOND) * 1000;
          if (pendingMs < 100)
            refuse(
              'input_audio_buffer_commit_empty',
              `Error committing input audio buffer: buffer too small. Expected at least 100ms of audio, but buffer only has ${pendingMs.toFixed(2)}ms of audio.`,
              message.event_id,
            );
          else transcribe(transcript.finish());
        });
      default:
        refuse('invalid_value', 'The type is not known.', message?.event_id);
    }
  });
}
