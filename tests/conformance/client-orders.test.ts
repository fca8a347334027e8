import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allModels } from '../../lib/catalog/models';
import { canOrderWith } from '../../lib/catalog/can-order';
import { fieldsOf } from '../../lib/domain/json';
import { providerDefinitions } from '../../lib/providers/registry';
import { createChaos } from '../support/chaos-provider';
import { grantCredits } from '../support/grant-credits';
import { proofStep } from '../support/proof-runs';
import { clientOrders } from './client-orders/index';
import type { OrderFields } from './client-orders/order';
import { startServerInTestTime, type TestServer } from '../support/server';

// The orders that clients of each vendor usually place, in test mode and pinned to the vendor: the validation is that of
// live mode. What is refused is listed with its reason, and is less than a tenth.

const MIN_ACCEPTED_SHARE = 0.9;

let served: TestServer;
beforeAll(async () => {
  const sandbox = createChaos('sandbox');
  served = await startServerInTestTime({
    providers: [sandbox.definition],
    testProvider: sandbox.definition,
    lookup: async () => ['93.184.216.34'],
    // Only accepted: nothing is made, and the clock stands still.
    config: { role: 'web' },
    env: { ORGANIZATION_LIMITS: 'requests_per_second=off,submits_per_minute=off,running_videos=off' },
  });
  await grantCredits(served.db, 'test', 1_000_000);
});
afterAll(() => served.close());

/** The status, and the field that a refusal names. */
async function place(provider: string, model: string, order: OrderFields) {
  const response = await served.submit({ ...order, model: `${provider}/${model}` }, 'test');
  const { error } = fieldsOf(await response.json());
  const { param, message } = fieldsOf(error);
  return { status: response.status, param, message };
}

describe.each(clientOrders.map((vendor) => [vendor.provider, vendor] as const))(
  'orders for %s',
  (provider, { models }) => {
    it('exist for every model that it serves', () => {
      const canOrder = canOrderWith(providerDefinitions);
      const served = allModels.filter(
        (model) =>
          model.capability === 'video' &&
          model.deactivatedAt === undefined &&
          model.bindings.some((binding) => binding.providerId === provider && canOrder(binding, 'video') === 'yes'),
      );
      expect(new Set(models.map(({ model }) => model))).toEqual(new Set(served.map(({ id }) => id)));
    });

    it('are accepted, but for those with a reason', async () => {
      const step = proofStep(10);
      const problems: string[] = [];
      for (const { model, orders } of models)
        for (const order of orders.filter((_order, index) => index % step === 0)) {
          const { status, message } = await place(provider, model, order);
          if (status !== 202) problems.push(`${model} ${JSON.stringify(order)}: ${String(message)}`);
        }
      expect(problems).toEqual([]);
    });

    it('are refused only for their reason', async () => {
      const refused = models.flatMap(({ model, refused: list = [] }) => list.map((one) => ({ model, ...one })));
      const found = [];
      for (const { model, order } of refused) {
        const { status, param } = await place(provider, model, order);
        found.push({ model, status, param });
      }
      expect(found).toEqual(refused.map(({ model, param }) => ({ model, status: 400, param })));
      const accepted = models.reduce((sum, { orders }) => sum + orders.length, 0);
      expect(accepted / (accepted + refused.length)).toBeGreaterThanOrEqual(MIN_ACCEPTED_SHARE);
    });
  },
);
