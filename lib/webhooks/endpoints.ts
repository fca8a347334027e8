import type { Sealer } from '../accounts/seal';
import { endpointSecretOf, newWebhookSecret } from '../accounts/webhook-secret';
import { parseBody } from '../contract/parse-body';
import { createEndpointRequestSchema, updateEndpointRequestSchema, type EndpointJson } from '../contract/webhooks';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { isId, newId, type EndpointId } from '../domain/ids';
import { checkMay } from '../domain/check-may';
import type { Database } from '../db/database';
import { lockOrganization } from '../db/people';
import {
  endDeliveriesOf,
  endMostDeliveriesOf,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  removeEndpoint,
  updateEndpoint,
  type EndpointRow,
} from '../db/webhook-endpoints';
import type { Outbound } from '../net/safe-fetch';
import { endpointNotFound } from './endpoint-not-found';
import { exampleVideo } from './example-video';
import { postWebhook } from './post-webhook';
import type { SigningSecrets } from './signing-secrets';
import type { Endpoints } from './webhooks';

const MAX_ENDPOINTS = 20;
/** A name that does not resolve in this time is accepted; every delivery checks the URL again. */
const RESOLVE_MS = 300;

export function createEndpoints(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly secrets: SigningSecrets;
}): Endpoints {
  const { db, clock, sealer, outbound, secrets } = deps;

  async function checkUrl(text: string): Promise<string> {
    const use = { purpose: 'webhook', param: 'url' } as const;
    const url = outbound.checkUrl(text, use);
    await outbound.checkName(url, { ...use, withinMs: RESOLVE_MS });
    return url.href;
  }

  return {
    endpoints: async (account) => ({
      object: 'list',
      data: (await listEndpoints(db, account)).map(presentEndpoint),
    }),

    async createEndpoint(actor, mode, body) {
      checkMay(actor, 'edit');
      const { url, events, description } = parseBody(createEndpointRequestSchema, body);
      const id = newId('endpoint');
      const row: EndpointRow = {
        id,
        orgId: actor.orgId,
        mode,
        url: await checkUrl(url),
        description,
        events,
        secret: sealer.seal(newWebhookSecret(), endpointSecretOf(id)),
        replacedSecrets: [],
        pausedAt: null,
        pausedBy: null,
        createdAt: clock.now(),
      };
      await db.inTransaction(async (tx) => {
        // Without the lock, two concurrent requests could exceed the maximum.
        await lockOrganization(tx, actor.orgId);
        if ((await listEndpoints(tx, row)).length >= MAX_ENDPOINTS)
          throw new GatewayError(
            'unsupported_value',
            `An account has at most ${MAX_ENDPOINTS} webhook endpoints. Remove one first.`,
          );
        await insertEndpoint(tx, row);
      });
      return presentEndpoint(row);
    },

    async updateEndpoint(actor, text, body) {
      checkMay(actor, 'edit');
      const id = endpointId(text);
      const { url, events, description, paused } = parseBody(updateEndpointRequestSchema, body);
      const checked = url === undefined ? undefined : await checkUrl(url);
      const now = clock.now();
      if (paused === true && (await findEndpoint(db, actor.orgId, id))?.pausedAt === null)
        await endMostDeliveriesOf(db, id, 'disabled', now);
      return db.inTransaction(async (tx) => {
        const row = await lockEndpoint(tx, actor.orgId, id);
        if (!row) throw endpointNotFound();
        if (paused === true && row.pausedAt === null) await endDeliveriesOf(tx, id, 'disabled', now);
        const changed = await updateEndpoint(tx, id, {
          url: checked ?? row.url,
          events: events ?? row.events,
          description: description ?? row.description,
          ...(paused === false && { pausedAt: null, pausedBy: null }),
          ...(paused === true && row.pausedAt === null && ({ pausedAt: now, pausedBy: 'person' } as const)),
        });
        return presentEndpoint(changed ?? row);
      });
    },

    async removeEndpoint(actor, text) {
      checkMay(actor, 'edit');
      const id = endpointId(text);
      if (await findEndpoint(db, actor.orgId, id)) await endMostDeliveriesOf(db, id, 'failed', clock.now());
      await db.inTransaction(async (tx) => {
        if (!(await lockEndpoint(tx, actor.orgId, id))) throw endpointNotFound();
        await endDeliveriesOf(tx, id, 'failed', clock.now());
        await removeEndpoint(tx, id);
      });
    },

    endpointSecret: async (orgId, id) => secrets.ofEndpoint(orgId, endpointId(id)),
    rotateEndpointSecret: async (orgId, id) => secrets.rotateEndpoint(orgId, endpointId(id)),

    async testEndpoint(orgId, text) {
      const id = endpointId(text);
      const row = await findEndpoint(db, orgId, id);
      if (!row) throw endpointNotFound();
      const now = clock.now();
      const { outcome, latencyMs, status, address, snippet, error } = await postWebhook(outbound, {
        url: row.url,
        id: newId('delivery'),
        event: 'video.completed',
        attempt: 1,
        body: JSON.stringify(exampleVideo(now, row.mode)),
        secrets: await secrets.signing({ orgId, endpointId: id }),
        now,
      });
      return {
        object: 'webhook_test',
        delivered: outcome === 'delivered',
        latency_ms: latencyMs,
        ...(status === undefined ? {} : { status }),
        ...(address === undefined ? {} : { address }),
        ...(snippet === undefined ? {} : { response: snippet }),
        ...(error === undefined ? {} : { error }),
      };
    },
  };
}

function endpointId(text: string): EndpointId {
  if (isId('endpoint', text)) return text;
  throw endpointNotFound();
}

function presentEndpoint(row: EndpointRow): EndpointJson {
  return {
    id: row.id,
    object: 'webhook_endpoint',
    mode: row.mode,
    url: row.url,
    description: row.description,
    events: row.events,
    paused: row.pausedAt === null ? null : (row.pausedBy ?? 'person'),
    paused_at: row.pausedAt && unixSeconds(row.pausedAt),
    created_at: unixSeconds(row.createdAt),
  };
}
