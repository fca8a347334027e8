import type { ScriptWord } from './script';
import { ScriptedTranscript } from './script';
import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, dropWhenDue, finishLater, goodKey, parseText, say } from './upstream';

// A fake of Soniox: the first message configures the session, text arrives in parts of words, final parts once.

const sampleBytes: Readonly<Record<string, number>> = { pcm_s16le: 2, pcm_f32le: 4, mulaw: 1, alaw: 1 };
const UTTERANCE = 5;

export function createSoniox(
  options: { /** Instead of twenty seconds. */ readonly idleMs?: number } = {},
): Promise<Upstream> {
  return createUpstream({
    sockets: { '/transcribe-websocket': (recorded, upstream) => listen(recorded, upstream, options.idleMs ?? 20_000) },
  });
}

/** Two parts for each word; the first begins with the space. */
function partsOf(words: readonly ScriptWord[], isFinal: boolean) {
  return words.flatMap(({ text, startMs, endMs }) => {
    const middle = Math.round((startMs + endMs) / 2);
    const cut = Math.max(1, text.length >> 1);
    const parts = [{ text: ` ${text.slice(0, cut)}`, start_ms: startMs, end_ms: text.length > cut ? middle : endMs }];
    if (text.length > cut) parts.push({ text: text.slice(cut), start_ms: middle, end_ms: endMs });
    return parts.map((part) => ({ ...part, confidence: 0.9, is_final: isFinal, language: 'en' }));
  });
}

function listen(recorded: RecordedSocket, upstream: Upstream, idleMs: number): void {
  const { socket, headers } = recorded;
  let transcript: ScriptedTranscript | undefined;
  /** Words of the open utterance whose parts were sent as final. */
  let sent = 0;
  let idle: NodeJS.Timeout;
  const fail = (code: number, text: string) => {
    say(recorded, upstream, { error_code: code, error_message: text });
    socket.close(1000);
  };
  const awake = () => {
    clearTimeout(idle);
    idle = setTimeout(() => fail(408, 'Audio data decode timeout'), idleMs);
  };
  awake();
  socket.on('close', () => clearTimeout(idle));

  const tell = (tokens: readonly object[], extra: object = {}) =>
    say(recorded, upstream, {
      tokens,
      final_audio_proc_ms: Math.round((transcript?.seconds ?? 0) * 1000),
      total_audio_proc_ms: Math.round((transcript?.seconds ?? 0) * 1000),
      ...extra,
    });

  const configure = (message: Record<string, unknown> | undefined) => {
    const isAllowed = headers.authorization === `Bearer ${goodKey}` || message?.api_key === goodKey;
    if (!isAllowed) return fail(401, 'Incorrect API key provided');
    const rate = Number(message?.sample_rate);
    const bytes = sampleBytes[String(message?.audio_format)];
    if (!message?.model || !(rate > 0) || bytes === undefined || !message.num_channels)
      return fail(400, 'Invalid configuration');
    transcript = new ScriptedTranscript(rate * bytes);
  };
  const endUtterance = (mark: string) => {
    if (!transcript) return;
    const rest = transcript.finish().slice(sent);
    sent = 0;
    tell([...partsOf(rest, true), { text: mark, confidence: 1, is_final: true }]);
  };
  const finish = () =>
    finishLater(upstream, () => {
      if (!transcript) return;
      const rest = transcript.finish().slice(sent);
      if (rest.length > 0) tell(partsOf(rest, true));
      tell([], { finished: true });
      socket.close(1000);
    });

  socket.on('message', (data: Buffer, isBinary) => {
    awake();
    if (!transcript) return isBinary ? fail(400, 'Start request is required') : configure(parseText(data));
    if (data.byteLength === 0) return finish();
    if (!isBinary) {
      const message = parseText(data);
      if (message?.type === 'keepalive') return;
      return message?.type === 'finalize' ? endUtterance('<fin>') : fail(400, 'Invalid control message');
    }
    const before = transcript.count;
    transcript.receive(data.byteLength);
    if (dropWhenDue(recorded, upstream, transcript.seconds)) return;
    if (transcript.count - transcript.finished >= UTTERANCE) return endUtterance('<end>');
    if (transcript.count === before) return;
    // All but the last two words are final; the others are sent again with every message.
    const { open } = transcript;
    const standing = Math.max(sent, open.length - 2);
    tell([...partsOf(open.slice(sent, standing), true), ...partsOf(open.slice(standing), false)]);
    sent = standing;
  });
}
