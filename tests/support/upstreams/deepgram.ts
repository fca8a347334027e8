import type { RecordedSocket, Upstream } from './upstream';
import { createUpstream, dropWhenDue, finishLater, goodKey, parseText, say } from './upstream';
import type { ScriptWord } from './script';
import { ScriptedTranscript, textOf } from './script';
import { speakAura } from './deepgram-speak';

// A fake of Deepgram: v1 listen (results by segment), v2 listen (turns), v1 speak.

const sampleBytes: Readonly<Record<string, number>> = { linear16: 2, linear32: 4, mulaw: 1, alaw: 1 };
/** The number of words in a final segment. */
const SEGMENT = 5;

export function createDeepgram(
  options: { /** Instead of ten seconds. */ readonly idleMs?: number } = {},
): Promise<Upstream> {
  return createUpstream({
    checkUpgrade(url, headers) {
      const request = { 'dg-request-id': '6a0bb4f0-0000-4000-8000-000000000000' };
      const protocols = headers['sec-websocket-protocol']?.split(/, */) ?? [];
      const isAllowed =
        headers.authorization?.toLowerCase() === `token ${goodKey}` ||
        headers.authorization === `Bearer ${goodKey}` ||
        (protocols[0] === 'token' && protocols[1] === goodKey);
      if (!isAllowed) return { status: 401, headers: { ...request, 'dg-error': 'Invalid credentials.' } };
      const { searchParams } = url;
      if (!searchParams.get('model'))
        return { status: 400, headers: { ...request, 'dg-error': 'A model is required.' } };
      if (searchParams.has('encoding') && !searchParams.has('sample_rate'))
        return { status: 400, headers: { ...request, 'dg-error': 'sample_rate is required with encoding.' } };
      if (searchParams.has('encoding') && sampleBytes[searchParams.get('encoding') ?? ''] === undefined)
        return { status: 400, headers: { ...request, 'dg-error': 'Unknown encoding.' } };
      return undefined;
    },
    sockets: {
      '/v1/listen': (recorded, upstream) => listenV1(recorded, upstream, options.idleMs ?? 10_000),
      '/v2/listen': listenV2,
      '/v1/speak': speakAura,
    },
  });
}

function listenV1(recorded: RecordedSocket, upstream: Upstream, idleMs: number): void {
  const { socket, url } = recorded;
  const query = url.searchParams;
  const transcript = new ScriptedTranscript(
    Number(query.get('sample_rate')) * sampleBytes[query.get('encoding') ?? '']!,
  );
  let reported = 0;
  let idle: NodeJS.Timeout;
  const awake = () => {
    clearTimeout(idle);
    idle = setTimeout(() => socket.close(1011, 'NET-0001'), idleMs);
  };
  awake();
  socket.on('close', () => clearTimeout(idle));

  const tell = (words: readonly ScriptWord[], isFinal: boolean, fromFinalize = false) => {
    if (!isFinal && query.get('interim_results') !== 'true') return;
    say(recorded, upstream, {
      type: 'Results',
      channel_index: [0, 1],
      duration: transcript.seconds,
      start: 0,
      is_final: isFinal,
      speech_final: isFinal,
      channel: {
        alternatives: [
          {
            transcript: textOf(words).toLowerCase(),
            confidence: 0.98,
            words: words.map(({ text, startMs, endMs }) => ({
              word: text.toLowerCase(),
              start: startMs / 1000,
              end: endMs / 1000,
              confidence: 0.98,
              ...(query.get('punctuate') === 'true' && { punctuated_word: text }),
            })),
          },
        ],
      },
      metadata: {
        request_id: '6a0bb4f0',
        model_info: { name: 'general', version: '1', arch: query.get('model') },
        model_uuid: 'a',
      },
      from_finalize: fromFinalize,
    });
  };

  const close = () =>
    finishLater(upstream, () => {
      tell(transcript.finish(), true, true);
      say(recorded, upstream, {
        type: 'Metadata',
        transaction_key: 'deprecated',
        request_id: '6a0bb4f0',
        sha256: '',
        created: '2026-11-21T12:00:00Z',
        duration: transcript.seconds,
        channels: 1,
      });
      socket.close(1000);
    });

  socket.on('message', (data: Buffer, isBinary) => {
    awake();
    if (!isBinary) {
      const message = parseText(data);
      if (message?.type === 'KeepAlive') return;
      if (message?.type === 'Finalize') return tell(transcript.finish(), true, true);
      if (message?.type === 'CloseStream') return close();
      return socket.close(1008, 'DATA-0000');
    }
    // The old end-of-stream message, which a client that forwards an empty frame sends by mistake.
    if (data.byteLength === 0) return close();
    transcript.receive(data.byteLength);
    if (dropWhenDue(recorded, upstream, transcript.seconds)) return;
    if (transcript.count - transcript.finished >= SEGMENT) {
      tell(transcript.finish(), true);
      // No speech for a moment: an empty result, as the real service sends it.
      tell([], false);
    } else if (transcript.count !== reported) tell(transcript.open, false);
    reported = transcript.count;
  });
}

function listenV2(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket, url } = recorded;
  const query = url.searchParams;
  const transcript = new ScriptedTranscript(
    Number(query.get('sample_rate')) * sampleBytes[query.get('encoding') ?? '']!,
  );
  let sequence = 0;
  let turn = 0;
  let reported = 0;
  say(recorded, upstream, { type: 'Connected', request_id: '6a0bb4f0', sequence_id: sequence++ });

  const tell = (event: string, words: readonly ScriptWord[]) => {
    say(recorded, upstream, {
      type: 'TurnInfo',
      request_id: '6a0bb4f0',
      sequence_id: sequence++,
      event,
      turn_index: turn,
      audio_window_start: 0,
      audio_window_end: transcript.seconds,
      transcript: textOf(words),
      words: words.map(({ text, startMs, endMs }) => ({
        word: text,
        confidence: 0.9,
        start: startMs / 1000,
        end: endMs / 1000,
      })),
      end_of_turn_confidence: event === 'EndOfTurn' ? 0.9 : 0.1,
    });
  };
  const endTurn = () => {
    const words = transcript.finish();
    if (words.length > 0) tell('EndOfTurn', words);
    turn++;
  };

  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      const message = parseText(data);
      if (message?.type === 'CloseStream') {
        finishLater(upstream, () => {
          endTurn();
          socket.close(1000);
        });
      } else if (message?.type !== 'Configure' && message?.type !== 'ForceEndTurn') {
        say(recorded, upstream, {
          type: 'Error',
          sequence_id: sequence++,
          code: 'UNPARSABLE_CLIENT_MESSAGE',
          description: 'The message is not known.',
        });
        socket.close(1008, 'UNPARSABLE_CLIENT_MESSAGE');
      }
      return;
    }
    const bytes = data;
    // Silence ends a turn.
    if (bytes.every((byte) => byte === 0)) return transcript.open.length > 0 ? endTurn() : undefined;
    transcript.receive(bytes.byteLength);
    if (dropWhenDue(recorded, upstream, transcript.seconds)) return;
    if (transcript.count - transcript.finished >= SEGMENT) endTurn();
    else if (transcript.count !== reported)
      tell(transcript.count - transcript.finished === 1 ? 'StartOfTurn' : 'Update', transcript.open);
    reported = transcript.count;
  });
}
