import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../lib/domain/json';
import { makeCall, makeRunning } from './video';
import { bindingOf } from '../support/catalog-bindings';
import { begin, pollToEnd, submit, useVendorSubject, type VendorContract } from '../support/vendor-subject';
import type { OrderChange } from '../support/vendor-orders';

// The contract of vendors that answer a submit with the id of a job and a poll with a word for its state. Their fakes have
// the scenarios `success-without-id` and `error-with-id` (contradictory answers), and ask for a pause of three seconds
// where they limit requests.

export interface JobVendorOptions {
  /** Upstream models, each with an order that the provider does not make with it. */
  readonly notOffered: readonly (readonly [modelName: string, order: OrderChange])[];
  /** Further scenarios of answers that are no refusal and have no id. */
  readonly mayHaveBegun?: readonly string[];
  /** What the log has about an unknown status, in addition to the provider and the video. */
  readonly logged?: Fields;
}

export function jobVendorContract(
  name: string,
  contract: VendorContract,
  { notOffered, mayHaveBegun = [], logged = {} }: JobVendorOptions,
): void {
  describe(`the jobs of ${name}`, () => {
    const subject = useVendorSubject(contract);

    it.each(notOffered)('are not ordered with %s and %j', async (modelName, order) => {
      const binding = bindingOf(contract.definition, modelName);
      const { error, bodies, submits } = await submit(subject, contract, { ...order, binding });
      expect(error).toMatchObject({
        code: 'provider_model_not_found',
        extra: { upstream: { retry: 'elsewhere', started: 'no' } },
      });
      expect([bodies, submits]).toEqual([[], []]);
    });

    it.each(['success-without-id', ...mayHaveBegun])(
      'may have begun after a submit that ends with %s',
      async (scenario) => {
        const { error, submits } = await submit(subject, contract, { scenario });
        expect(error).toMatchObject({ extra: { upstream: { started: 'maybe' } } });
        expect(submits).toHaveLength(1);
      },
    );

    it('have begun if the answer to the submit is an error with an id', async () => {
      const { receipt } = await begin(subject, contract, { scenario: 'error-with-id' });
      expect((await pollToEnd(subject, receipt)).end?.status).toBe('completed');
    });

    it('may be submitted again after the pause that the vendor asks for', async () => {
      const { error } = await submit(subject, contract, { prompt: 'A boat that waits', scenario: 'ratelimit:1' });
      expect(error).toMatchObject({ code: 'rate_limit_exceeded', extra: { upstream: { retryAfterMs: 3_000 } } });
    });

    it('with an unknown status are in progress, and logged without text of the vendor', async () => {
      const running = makeRunning((await begin(subject, contract, { scenario: 'weird' })).receipt);
      const check = () => subject.video.check(running, makeCall(subject.log));
      subject.log.lines.length = 0;
      await check();
      await check();
      expect(await check()).toEqual({ status: 'in_progress' });
      expect(subject.log.lines).toEqual([
        {
          level: 'warn',
          message: 'the upstream reported an unknown status of a video',
          fields: { provider: contract.definition.id, videoId: running.videoId, ...logged },
        },
      ]);
    });
  });
}
