import { randomUUID } from 'node:crypto';
import type { ScriptWord } from './script';
import { ScriptedTranscript, textOf } from './script';
import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, dropWhenDue, finishLater, goodKey, parseText, say } from './upstream';

// A fake of Gladia: a session over HTTP, a socket with a token, one id for an utterance's partials and its final.

const bits: Readonly<Record<string, number>> = { 'wav/pcm': 16, 'wav/ulaw': 8, 'wav/alaw': 8 };
const UTTERANCE = 5;

interface Session {
  readonly encoding: string;
  readonly sample_rate: number;
  readonly messages_config?: Readonly<Record<string, boolean>>;
}

export async function createGladia(
  options: { /** Puts another URL into the answer. */ readonly url?: string } = {},
): Promise<Upstream> {
  const sessions = new Map<string, Session>();
  return createUpstream({
    answer({ method, url, headers, body }, upstream) {
      if (method !== 'POST' || url.pathname !== '/v2/live') return undefined;
      if (headers['x-gladia-key'] !== goodKey)
        return { status: 401, body: { statusCode: 401, message: 'gladia key not found' } };
      const asked = { encoding: 'wav/pcm', sample_rate: 16_000, ...(body as Partial<Session>) };
      if (bits[asked.encoding] === undefined || ![8000, 16_000, 32_000, 44_100, 48_000].includes(asked.sample_rate))
        return { status: 422, body: { message: 'Invalid parameters' } };
      const id = randomUUID();
      sessions.set(id, asked);
      return {
        status: 201,
        body: {
          id,
          created_at: '2026-11-21T12:00:00Z',
          url: options.url ?? `${upstream.baseUrl.replace('http', 'ws')}/v2/live?token=${id}`,
        },
      };
    },
    sockets: {
      '/v2/live': (recorded, upstream) => {
        const session = sessions.get(recorded.url.searchParams.get('token') ?? '');
        if (session) listen(recorded, upstream, session);
        else recorded.socket.close(4401, 'Unauthorized');
      },
    },
  });
}

function listen(recorded: RecordedSocket, upstream: Upstream, session: Session): void {
  const { socket } = recorded;
  const wants = (name: string) => session.messages_config?.[name] ?? true;
  const transcript = new ScriptedTranscript(session.sample_rate * (bits[session.encoding]! / 8));
  let utterance = 0;
  let reported = 0;
  const tell = (type: string, fields: object) =>
    say(recorded, upstream, { type, session_id: 's', created_at: '2026-11-21T12:00:00Z', ...fields });
  const transcribe = (words: readonly ScriptWord[], isFinal: boolean) => {
    if (words.length === 0 || (!isFinal && !wants('receive_partial_transcripts'))) return;
    tell('transcript', {
      data: {
        id: `00_${String(utterance).padStart(8, '0')}`,
        is_final: isFinal,
        utterance: {
          text: `${isFinal ? '' : ' '}${textOf(words)}`,
          language: 'en',
          start: words[0]!.startMs / 1000,
          end: words.at(-1)!.endMs / 1000,
          confidence: 0.9,
          channel: 0,
          words: words.map(({ text, startMs, endMs }) => ({
            word: ` ${text}`,
            start: startMs / 1000,
            end: endMs / 1000,
            confidence: 0.9,
          })),
        },
      },
    });
    if (isFinal) utterance++;
  };
  if (wants('receive_lifecycle_events')) tell('start_session', {});

  const receive = (bytes: number) => {
    const from = transcript.bytes;
    transcript.receive(bytes);
    if (dropWhenDue(recorded, upstream, transcript.seconds)) return;
    if (wants('receive_acknowledgments'))
      tell('audio_chunk', {
        acknowledged: true,
        error: null,
        data: { byte_range: [from, transcript.bytes], time_range: [0, transcript.seconds] },
      });
    if (transcript.count - transcript.finished >= UTTERANCE) transcribe(transcript.finish(), true);
    else if (transcript.count !== reported) transcribe(transcript.open, false);
    reported = transcript.count;
  };

  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return receive(data.byteLength);
    const message = parseText(data);
    if (message?.type === 'audio_chunk') {
      const { chunk } = message.data as { chunk: string };
      return receive(Buffer.byteLength(chunk, 'base64'));
    }
    if (message?.type !== 'stop_recording') return socket.close(4400, 'Invalid message');
    if (wants('receive_acknowledgments'))
      tell('stop_recording', {
        acknowledged: true,
        error: null,
        data: { recording_duration: transcript.seconds, recording_left_to_process: 0.4 },
      });
    finishLater(upstream, () => {
      transcribe(transcript.finish(), true);
      if (wants('receive_lifecycle_events'))
        tell('end_recording', { data: { recording_duration: transcript.seconds } });
      tell('post_transcript', { data: { full_transcript: 'a summary that nobody here wants' } });
      if (wants('receive_lifecycle_events')) tell('end_session', {});
      socket.close(1000);
    });
  });
}
