import type { Sealer } from '../accounts/seal';
import { parseBody } from '../contract/parse-body';
import { withPageIds } from '../contract/present-page';
import { resendRequestSchema } from '../contract/webhooks';
import type { Account } from '../domain/caller';
import type { Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId } from '../domain/ids';
import type { Database, Tx } from '../db/database';
import { listEndpoints, listRecentDeliveries } from '../db/webhook-endpoints';
import { reopenDeliveries, reopenDelivery, searchDeliveries, type DeliveryRow } from '../db/webhooks';
import { deliveryOwner } from '../jobs/job';
import type { Queue } from '../jobs/queue';
import type { Outbound } from '../net/safe-fetch';
import { createEndpoints } from './endpoints';
import { listDeliveriesOf, presentDeliveries } from './present-delivery';
import { summarizeReceivers } from './receivers';
import { createSigningSecrets } from './signing-secrets';
import type { Webhooks } from './webhooks';

/** The maximum number of deliveries that one call resends: each is a job that is stored in the same transaction. */
const RESEND_LIMIT = 100;

export function createWebhooks(deps: {
  readonly db: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
}): Webhooks {
  const { db, queue, clock } = deps;
  const secrets = createSigningSecrets(deps);

  const enqueueNext = (tx: Tx, reopened: DeliveryRow) =>
    queue.enqueue(
      tx,
      { kind: 'webhook.deliver', deliveryId: reopened.id, attempt: reopened.attempts + 1 },
      deliveryOwner(reopened),
    );

  async function findAfter(account: Account, after: string): Promise<DeliveryRow> {
    const [row] = isId('delivery', after) ? await searchDeliveries(db, account, { id: after }, { limit: 1 }) : [];
    if (row) return row;
    throw new GatewayError(
      'unsupported_value',
      'after must be the id of one of your deliveries: the last_id of the previous page.',
      { param: 'after' },
    );
  }

  return {
    ...createEndpoints({ ...deps, secrets }),

    listOfVideo: async (account, videoId) => (isId('video', videoId) ? listDeliveriesOf(db, account, videoId) : []),

    async search(account, { limit, after, ...filter }) {
      const from = after === undefined ? undefined : await findAfter(account, after);
      // One more than is shown, to find out whether there are more.
      const rows = await searchDeliveries(db, account, filter, { limit: limit + 1, ...(from && { after: from }) });
      const deliveries = await presentDeliveries(db, rows.slice(0, limit));
      return withPageIds({ object: 'list', data: deliveries, has_more: rows.length > limit });
    },

    async resend(account, id) {
      const row = await db.inTransaction(async (tx) => {
        const reopened = isId('delivery', id) ? await reopenDelivery(tx, account, id, clock.now()) : undefined;
        if (reopened) await enqueueNext(tx, reopened);
        return reopened;
      });
      if (!row)
        throw new GatewayError(
          'delivery_not_found',
          'There is no webhook delivery with this id, or it cannot be sent again, because its video or endpoint was deleted or its endpoint is paused. GET /v1/videos/{id}/webhook_deliveries lists those of a video.',
        );
      const [delivery] = await presentDeliveries(db, [row]);
      // Safe: there is one delivery for each row.
      return delivery!;
    },

    async resendAll(account, body) {
      const {
        states,
        endpoint_id: endpointId,
        created_from: from,
        created_to: to,
      } = parseBody(resendRequestSchema, body);
      if (endpointId !== undefined && !isId('endpoint', endpointId))
        throw new GatewayError('unsupported_value', 'endpoint_id must be the id of an endpoint.', {
          param: 'endpoint_id',
        });
      const filter = {
        states,
        ...(endpointId && { endpointId }),
        ...(from !== undefined && { from: new Date(from * 1000) }),
        ...(to !== undefined && { to: new Date(to * 1000) }),
      };
      const resent = await db.inTransaction(async (tx) => {
        const reopened = await reopenDeliveries(tx, account, filter, { now: clock.now(), limit: RESEND_LIMIT });
        for (const row of reopened) await enqueueNext(tx, row);
        return reopened.length;
      });
      return { object: 'webhook_deliveries.resent', resent, has_more: resent === RESEND_LIMIT };
    },

    receivers: async (account) => ({
      object: 'list',
      data: summarizeReceivers(await listEndpoints(db, account), await listRecentDeliveries(db, account)),
    }),

    secret: (orgId) => secrets.ofOrganization(orgId),
    rotateSecret: (orgId) => secrets.rotateOrganization(orgId),
  };
}
