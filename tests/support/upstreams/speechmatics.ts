import type { ScriptWord } from './script';
import { ScriptedTranscript, textOf } from './script';
import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, dropWhenDue, finishLater, goodKey, parseText, say } from './upstream';

// A fake of Speechmatics: every message is acknowledged, punctuation is a separate result, and the end waits until the
// announced number of chunks has arrived.

const sampleBytes: Readonly<Record<string, number>> = { pcm_s16le: 2, pcm_f32le: 4, mulaw: 1 };
const SEGMENT = 5;

export function createSpeechmatics(): Promise<Upstream> {
  return createUpstream({
    checkUpgrade: (url, headers) =>
      headers.authorization === `Bearer ${goodKey}` || url.searchParams.get('jwt') === goodKey
        ? undefined
        : { status: 401 },
    sockets: { '/v2*': listen },
  });
}

function listen(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket } = recorded;
  let transcript: ScriptedTranscript | undefined;
  let pieces = 0;
  let reported = 0;
  const tell = (message: string, fields: object = {}) => say(recorded, upstream, { message, ...fields });
  const fail = (code: number, type: string) => {
    tell('Error', { type, reason: `${type}.`, code });
    socket.close(code, type);
  };
  const transcribe = (kind: 'AddPartialTranscript' | 'AddTranscript', words: readonly ScriptWord[]) => {
    const isFinal = kind === 'AddTranscript';
    const last = words.at(-1);
    tell(kind, {
      metadata: {
        start_time: (words[0]?.startMs ?? 0) / 1000,
        end_time: (last?.endMs ?? 0) / 1000,
        transcript: words.length === 0 ? '' : `${textOf(words)}${isFinal ? '. ' : ' '}`,
      },
      results: [
        ...words.map(({ text, startMs, endMs }) => ({
          type: 'word',
          start_time: startMs / 1000,
          end_time: endMs / 1000,
          alternatives: [{ content: text, confidence: 1, language: 'en' }],
        })),
        ...(isFinal && last
          ? [
              {
                type: 'punctuation',
                attaches_to: 'previous',
                is_eos: true,
                start_time: last.endMs / 1000,
                end_time: last.endMs / 1000,
                alternatives: [{ content: '.', confidence: 1 }],
              },
            ]
          : []),
      ],
    });
  };

  socket.on('message', (data: Buffer, isBinary) => {
    if (!transcript) {
      const message = isBinary ? undefined : parseText(data);
      const format = message?.audio_format as { type?: string; encoding?: string; sample_rate?: number } | undefined;
      const config = message?.transcription_config as { language?: string } | undefined;
      const bytes = sampleBytes[format?.encoding ?? ''];
      if (
        message?.message !== 'StartRecognition' ||
        format?.type !== 'raw' ||
        !format.sample_rate ||
        bytes === undefined
      )
        return fail(1003, 'protocol_error');
      if (!config?.language || config.language === 'auto') return fail(4004, 'invalid_model');
      transcript = new ScriptedTranscript(format.sample_rate * bytes);
      return tell('RecognitionStarted', {
        id: 's',
        language_pack_info: {
          language_description: 'English',
          word_delimiter: ' ',
          writing_direction: 'left-to-right',
          itn: true,
          adapted: false,
        },
      });
    }
    const current = transcript;
    if (isBinary) {
      current.receive(data.byteLength);
      if (dropWhenDue(recorded, upstream, current.seconds)) return;
      tell('AudioAdded', { seq_no: ++pieces });
      if (current.count - current.finished >= SEGMENT) transcribe('AddTranscript', current.finish());
      else if (current.count !== reported) transcribe('AddPartialTranscript', current.open);
      reported = current.count;
      return;
    }
    const message = parseText(data);
    if (message?.message !== 'EndOfStream') return fail(1003, 'protocol_error');
    // It waits for announced audio that never arrives. The vendor's client announces the last acknowledged chunk.
    if (typeof message.last_seq_no !== 'number' || message.last_seq_no > pieces) return;
    finishLater(upstream, () => {
      transcribe('AddTranscript', current.finish());
      tell('EndOfTranscript');
      socket.close(1000);
    });
  });
}
