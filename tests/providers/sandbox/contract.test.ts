import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../../lib/domain/clock';
import { videoContract } from '../contract/video';
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
      // Files of renderings only: the state of a finished video may still be written beside them, as `….json.….part`.
      countWorks: async ({ videoId }) =>
        (await readdir(path.join(sandbox.dataDir, 'videos', videoId))).filter((name) =>
          /^(?:video\.mp4|[0-9a-f]+\.part)$/.test(name),
        ).length,
      dispose: () => sandbox.close(),
    };
  },
  { errors: ['a refusal'], has: ['endless', 'moderated', 'works'] },
);
