import { describe, expect, it } from 'vitest';
import { MAX_KEPT_BYTES } from '../../../lib/contents/content-recorder';
import { makeSpeech } from './make-speech';
import { makeTranscription, settle, silence } from './make-transcription';

// What sessions of an organisation that keeps the texts of speech give to be stored, and when.

const caller = { keepSpeechDays: 7 };

describe('the text of a transcription', () => {
  async function live(options: Parameters<typeof makeTranscription>[0] = { caller }) {
    const made = makeTranscription(options);
    made.channel.say(made.configure);
    await settle();
    made.channel.say(silence(0.1));
    const upstream = made.stt.a.upstreams[0]!;
    return { ...made, upstream };
  }

  it('is its final texts, a line each, stored at the end', async () => {
    const { channel, upstream, kept, session } = await live();
    upstream.interim('Good');
    upstream.final('Good morning.');
    upstream.final('How are you?');
    await settle();
    expect(kept).toEqual([]);
    channel.say({ type: 'stop' });
    upstream.end();
    await session.ended;
    expect(kept).toEqual([
      {
        id: expect.stringMatching(/^ctx_/) as string,
        orgId: expect.stringMatching(/^org_/) as string,
        days: 7,
        request: null,
        answer: 'Good morning.\nHow are you?\n',
      },
    ]);
  });

  it('ends with the interim text that the client saw last, if the connection breaks', async () => {
    const { channel, upstream, kept, session } = await live();
    upstream.final('Good morning.');
    upstream.interim('How are');
    await settle();
    channel.disconnect();
    await session.ended;
    expect(kept).toMatchObject([{ answer: 'Good morning.\nHow are\n' }]);
  });

  it('is null if there was none, or too much', async () => {
    const silent = await live();
    silent.channel.disconnect();
    await silent.session.ended;
    expect(silent.kept).toMatchObject([{ answer: null }]);
    const long = await live();
    long.upstream.final('a'.repeat(MAX_KEPT_BYTES));
    await settle();
    long.channel.disconnect();
    await long.session.ended;
    expect(long.kept).toMatchObject([{ answer: null }]);
  });

  it('is not stored without the choice of the organisation, nor of a session that never began', async () => {
    const { channel, upstream, kept, session } = await live({});
    upstream.final('Good morning.');
    await settle();
    channel.disconnect();
    await session.ended;
    expect(kept).toEqual([]);
    const idle = makeTranscription({ caller });
    idle.channel.disconnect();
    await idle.session.ended;
    expect(idle.kept).toEqual([]);
  });
});

describe('a text that is to be spoken', () => {
  it('is stored as it was sent, also if it is cancelled', async () => {
    const { say, channel, kept, charged } = makeSpeech({ caller });
    say('Hello there.');
    await settle();
    channel.say({ type: 'cancel' });
    await settle();
    expect(kept).toMatchObject([{ id: charged[0]!.id, days: 7, request: 'Hello there.', answer: null }]);
  });

  it('is not stored if no credits were held for it, or without the choice of the organisation', async () => {
    const poor = makeSpeech({ caller, holdFails: () => new Error('no credits') });
    poor.say('Hello there.');
    await settle();
    expect(poor.kept).toEqual([]);
    const other = makeSpeech();
    other.say('Hello there.');
    await settle();
    other.generations[0]!.chunk();
    other.generations[0]!.end();
    await settle();
    expect(other.channel.sent).toHaveLength(2);
    expect(other.kept).toEqual([]);
  });
});
