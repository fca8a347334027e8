import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../../lib/domain/clock';
import { messagesContract } from '../contract/messages';
import { videoContract } from '../contract/video';
import { makeMessagesBinding, makeMessagesRequest } from '../support/messages';
import { makeSandbox, makeStart } from './make-sandbox';

videoContract(
  'the sandbox',
  async () => {
    const sandbox = await makeSandbox();
    return {
      provider: sandbox.video,
      log: sandbox.log,
      makeStart: (change) => makeStart(change),
      makeFailingStart: () => makeStart({}, 'poll500:1'),
      makeModeratedStart: () => makeStart({}, 'moderated-input'),
      makeEndlessStart: () => makeStart({}, 'hang'),
      pause: () => systemClock.sleep(20),
      // Each job leaves one video; a second running one would leave a partial file too.
      // Files of renderings only: the state of a finished video may still be written next to them, as `….json.….part`.
      countWorks: async ({ videoId }) =>
        (await readdir(path.join(sandbox.dataDir, 'videos', videoId))).filter((name) =>
          /^(?:video\.mp4|[0-9a-f]+\.part)$/.test(name),
        ).length,
      dispose: () => sandbox.close(),
    };
  },
  { errors: ['a refusal'], has: ['endless', 'moderated', 'works'] },
);

messagesContract(
  'the sandbox',
  async () => {
    const sandbox = await makeSandbox();
    const ask = (content: string, body: object = {}, scenario?: string) =>
      makeMessagesRequest({
        body: { stream: true, messages: [{ role: 'user', content }], ...body },
        ...(scenario !== undefined && { scenario }),
      });
    return {
      provider: sandbox.messages,
      binding: makeMessagesBinding({ providerId: 'sandbox', modelName: 'sandbox-text' }),
      log: sandbox.log,
      makeRequest: ({ text = '' } = {}) => ask(`${text} Hello`),
      makeLongRequest: () => ask('[[words:3000]]', { max_tokens: 30_000 }),
      makeToolRequest: () =>
        ask('Hello', {
          tools: [{ name: 'get_weather', input_schema: { type: 'object', properties: { city: { type: 'string' } } } }],
        }),
      makeFailingRequest: (scenario) => ask('Hello', {}, scenario),
      makeHangingRequest: () => ask('Hello', {}, 'hang'),
      dispose: () => sandbox.close(),
    };
  },
  {
    errors: {
      fail: 'elsewhere',
      'error-first': 'elsewhere',
      'error-mid': 'elsewhere',
      cut: 'elsewhere',
      ratelimit: 'elsewhere',
      'moderated-input': 'never',
    },
    has: ['hanging'],
  },
);
