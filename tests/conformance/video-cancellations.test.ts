import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf } from '../../lib/domain/json';
import type { AlterAnswer } from '../support/upstreams/fake-video-vendor';
import { vendorCases } from './video-vendor-cases';
import { startWorld, type World } from './video-vendor-world';

// Cancellations over HTTP that the vendor does not confirm: the response says so, and the video goes on until a check finds
// its end. `makeVideo` checks that it ends once, with one webhook, nothing on hold, and a charge if there is a video.

const cancellers = vendorCases.flatMap(({ isCancel, ...given }) => (isCancel ? [{ ...given, isCancel }] : []));

describe.each(cancellers.map((given) => [given.definition.name, given] as const))(
  'a cancellation at %s',
  (_name, given) => {
    let world: World;
    beforeAll(async () => {
      world = await startWorld(given);
    });
    afterAll(() => world.close());

    /** The response to a cancellation whose answer of the vendor is altered, the video after it, and its end. */
    async function cancelWith(alter: AlterAnswer, whenSent?: () => Promise<void>) {
      const { vendor } = world;
      const countSent = () => vendor.requests.filter(given.isCancel).length;
      const before = countSent();
      const answer: Record<string, unknown> = {};
      const { video } = await world.makeVideo('', {}, async () => {
        const { data } = fieldsOf(await (await world.call('/v1/videos?limit=1')).json());
        // Safe: the video has just been submitted.
        const [{ id }] = data as [{ id: string }];
        vendor.alterAnswers((reply, request) => (given.isCancel(request) ? alter(reply, request) : reply));
        const pending = world.call(`/v1/videos/${id}/cancel`, { method: 'POST' });
        await expect.poll(countSent).toBe(before + 1);
        await whenSent?.();
        const response = await pending;
        vendor.alterAnswers();
        answer.status = response.status;
        answer.code = fieldsOf(fieldsOf(await response.json()).error).code;
        answer.videoGoesOn = ['queued', 'in_progress'].includes((await world.read(id)).video.status);
      });
      // The imitation has cancelled it, whatever it answered.
      expect(video).toMatchObject({ status: 'failed', cost: 0, error: { code: 'cancelled' } });
      return { ...answer, sent: countSent() - before };
    }

    it('that is answered with the page of a proxy is a 502, and a check finds the end', async () => {
      const page = { status: 200, body: '<html><body>Just a moment…</body></html>' };
      expect(await cancelWith(() => page)).toEqual({
        status: 502,
        code: 'upstream_invalid_response',
        videoGoesOn: true,
        sent: 1,
      });
    });

    it('that is not answered within ten seconds is a 504, and a check finds the end', async () => {
      const answer = await cancelWith(
        (reply) => ({ ...reply, status: 200, body: { a: 'b' }, spoil: 'stall' }),
        async () => {
          await world.clock.advance(10_000);
        },
      );
      expect(answer).toEqual({ status: 504, code: 'upstream_timeout', videoGoesOn: true, sent: 1 });
    });

    it('whose answer is lost is a 502, and a check finds the end', async () => {
      expect(await cancelWith((reply) => ({ ...reply, drop: true }))).toEqual({
        status: 502,
        code: 'upstream_invalid_response',
        videoGoesOn: true,
        sent: 1,
      });
    });
  },
);
