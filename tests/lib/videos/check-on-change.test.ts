import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId, type VideoId } from '../../../lib/domain/ids';
import { checkOnChange } from '../../../lib/videos/check-on-change';
import { completed, createChaos } from '../../support/chaos-provider';
import { recordLog } from '../../support/log';
import { makeAcme, type Acme } from './make-acme';

let acme: Acme;
beforeAll(async () => {
  acme = await makeAcme();
});
afterAll(() => acme.close());

it('checks a video at once when its provider announces a change, however long it wanted to wait', async () => {
  const { alpha } = acme;
  alpha.onCheck = async () => ({ status: 'queued', nextInMs: 600_000 });
  const { id } = await acme.submit(acme.live);
  await acme.settle();
  await acme.pass(6_000);
  expect(alpha.calls.checks).toEqual([id]);
  alpha.onCheck = async () => completed;
  alpha.announce(alpha.calls.starts[0]!.videoId);
  await expect.poll(() => alpha.calls.checks).toEqual([id, id]);
  await acme.settle();
  expect(await acme.read(acme.live, id)).toMatchObject({ status: 'completed' });
});

it('logs that a check could not be made due, and stops when it is ended', async () => {
  const chaos = createChaos('chaos');
  // Safe: this provider uses none of its dependencies.
  const providers = new Map([['chaos', chaos.definition.create({} as never)]]);
  const log = recordLog();
  const due: string[] = [];
  const makeDue = async (_kind: string, videoId: string) => {
    due.push(videoId);
    throw new Error('The database is not available.');
  };
  const stop = checkOnChange({ providers, queue: { makeDue }, log });
  const videoId: VideoId = newId('video');
  chaos.announce(videoId);
  await expect.poll(() => log.lines).toMatchObject([{ level: 'warn', fields: { videoId } }]);
  stop();
  chaos.announce(videoId);
  expect(due).toEqual([videoId]);
});
