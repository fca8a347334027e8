import { speakMulti } from './elevenlabs-speak';
import { answerVoices } from './elevenlabs-voices';
import type { ScriptWord } from './script';
import { ScriptedTranscript, textOf } from './script';
import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, dropWhenDue, finishLater, goodKey, parseText, say } from './upstream';

// A fake of ElevenLabs: realtime Scribe (JSON in both directions, every commit reported twice), and many contexts of
// speech on one socket.

const UTTERANCE = 5;

export function createElevenLabs(): Promise<Upstream> {
  return createUpstream({
    sockets: { '/v1/speech-to-text/realtime': scribe, '/v1/text-to-speech/*': speakMulti },
    answer: answerVoices,
  });
}

function scribe(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket, url, headers } = recorded;
  const query = url.searchParams;
  const tell = (kind: string, fields: object = {}) => say(recorded, upstream, { message_type: kind, ...fields });
  const fail = (kind: string, text: string) => {
    tell(kind, { error: text });
    socket.close(1008);
  };
  if (headers['xi-api-key'] !== goodKey && query.get('token') !== goodKey) return fail('auth_error', 'Invalid API key');
  const [, coding, rate] =
    /^(pcm|ulaw)_(8000|16000|22050|24000|44100|48000)$/.exec(query.get('audio_format') ?? 'pcm_16000') ?? [];
  if (!query.get('model_id') || rate === undefined) return fail('invalid_request', 'Unsupported audio format');
  const transcript = new ScriptedTranscript(Number(rate) * (coding === 'pcm' ? 2 : 1));
  let reported = 0;
  tell('session_started', {
    session_id: 's',
    config: { sample_rate: Number(rate), audio_format: query.get('audio_format') },
  });

  const commit = (words: readonly ScriptWord[]) => {
    if (words.length === 0) return;
    const text = textOf(words);
    tell('committed_transcript', { text });
    if (query.get('include_timestamps') !== 'true') return;
    tell('committed_transcript_with_timestamps', {
      text,
      language_code: 'en',
      words: words.flatMap(({ text, startMs, endMs }, index) => [
        ...(index > 0
          ? [{ text: ' ', start: (startMs - 40) / 1000, end: startMs / 1000, type: 'spacing', logprob: 0 }]
          : []),
        { text, start: startMs / 1000, end: endMs / 1000, type: 'word', logprob: -0.1 },
      ]),
    });
  };

  socket.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? undefined : parseText(data);
    if (message?.message_type !== 'input_audio_chunk' || typeof message.audio_base_64 !== 'string')
      return fail('input_error', 'Unexpected message');
    transcript.receive(Buffer.byteLength(message.audio_base_64, 'base64'));
    if (dropWhenDue(recorded, upstream, transcript.seconds)) return;
    if (message.commit === true) return finishLater(upstream, () => commit(transcript.finish()));
    if (query.get('commit_strategy') === 'vad' && transcript.count - transcript.finished >= UTTERANCE)
      commit(transcript.finish());
    else if (transcript.count !== reported && transcript.open.length > 0)
      tell('partial_transcript', { text: textOf(transcript.open).toLowerCase() });
    reported = transcript.count;
  });
}
