import type { ScriptWord } from './script';
import { ScriptedTranscript, textOf } from './script';
import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, dropWhenDue, finishLater, goodKey, parseText, say } from './upstream';

// A fake of AssemblyAI: it checks the key after the upgrade, chunks have a minimum and maximum length, audio may not
// arrive much faster than real time, and the end of a turn is sent twice, the second time formatted.

const sampleBytes: Readonly<Record<string, number>> = { pcm_s16le: 2, pcm_mulaw: 1 };
const TURN = 5;

export function createAssemblyAi(): Promise<Upstream> {
  return createUpstream({ sockets: { '/v3/ws': listen } });
}

function listen(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket, url, headers } = recorded;
  const query = url.searchParams;
  const fail = (code: number, text: string) => {
    say(recorded, upstream, { type: 'Error', error_code: code, error: text });
    socket.close(code, text);
  };
  if (headers.authorization !== goodKey && query.get('token') !== goodKey)
    return socket.close(1008, 'Unauthorized Connection: Missing Authorization header');
  const bytesPerSecond = Number(query.get('sample_rate')) * (sampleBytes[query.get('encoding') ?? 'pcm_s16le'] ?? 0);
  if (!(bytesPerSecond > 0) || !query.get('speech_model')) return fail(3006, 'Invalid parameters');
  const transcript = new ScriptedTranscript(bytesPerSecond);
  const startedAt = performance.now();
  let turn = 0;
  let reported = 0;
  say(recorded, upstream, { type: 'Begin', id: 'a-session', expires_at: 1_789_556_741 });

  const tell = (words: readonly ScriptWord[], isEnd: boolean, isFormatted: boolean) => {
    const spell = (text: string) => (isFormatted ? text : text.toLowerCase());
    // The last word of a running turn may still change, so its text does not contain it.
    const standing = isEnd ? words : words.slice(0, -1);
    say(recorded, upstream, {
      type: 'Turn',
      turn_order: turn,
      turn_is_formatted: isFormatted,
      end_of_turn: isEnd,
      transcript: spell(textOf(standing)),
      end_of_turn_confidence: isEnd ? 0.8 : 0.1,
      words: words.map(({ text, startMs, endMs }, index) => ({
        start: startMs,
        end: endMs,
        confidence: 0.9,
        text: spell(text),
        word_is_final: index < standing.length,
      })),
      utterance: '',
    });
  };
  const endTurn = () => {
    const words = transcript.finish();
    if (words.length === 0) return;
    tell(words, true, false);
    if (query.get('format_turns') === 'true') tell(words, true, true);
    turn++;
  };

  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) {
      const ms = (data.byteLength / bytesPerSecond) * 1000;
      if (ms < 49.999 || ms > 1000.001) return fail(3007, 'Input duration violation');
      transcript.receive(data.byteLength);
      if (transcript.seconds > 1.6 + (3 * (performance.now() - startedAt)) / 1000)
        return fail(3007, 'Audio transmission rate exceeded');
      if (dropWhenDue(recorded, upstream, transcript.seconds)) return;
      if (transcript.count - transcript.finished >= TURN) endTurn();
      else if (transcript.count !== reported) tell(transcript.open, false, false);
      reported = transcript.count;
      return;
    }
    const message = parseText(data);
    if (message?.type === 'Terminate') {
      finishLater(upstream, () => {
        endTurn();
        say(recorded, upstream, {
          type: 'Termination',
          audio_duration_seconds: Math.round(transcript.seconds),
          session_duration_seconds: Math.round((performance.now() - startedAt) / 1000),
        });
        socket.close(1000);
      });
    } else if (message?.type === 'ForceEndpoint') endTurn();
    else if (message?.type !== 'KeepAlive' && message?.type !== 'UpdateConfiguration')
      fail(3006, 'Invalid Message Type');
  });
}
