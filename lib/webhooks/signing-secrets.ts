import { eq } from 'drizzle-orm';
import type { Sealer } from '../accounts/seal';
import { endpointSecretOf, newWebhookSecret, webhookSecretOf } from '../accounts/webhook-secret';
import type { WebhookSecretJson } from '../contract/webhooks';
import { unixSeconds, type Clock } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import type { EndpointId, OrgId } from '../domain/ids';
import type { Database, Db } from '../db/database';
import { organizations, type ReplacedSecret } from '../db/schema/index';
import { findEndpoint, lockEndpoint, updateEndpoint, type EndpointRow } from '../db/webhook-endpoints';
import { endpointNotFound } from './endpoint-not-found';

// The secrets that sign webhooks. Each endpoint has its own; webhooks to URLs in requests are signed with the secret of
// the organisation. A replaced secret also signs for a day, so that the receiver can be changed without a gap.

/** How long a replaced secret continues to sign, together with the new one. */
const OVERLAP_MS = 24 * 3_600_000;
/** The maximum number of secrets of one signer; each adds a signature to every webhook. */
const MAX_SECRETS = 10;

/** The sealed secrets of one signer. */
interface Sealed {
  readonly current: string;
  /** The replaced secrets that still sign, in the order in which they expire. */
  readonly replaced: readonly ReplacedSecret[];
  /** See `seal.ts`. */
  readonly belongsTo: string;
}

export interface SigningSecrets {
  /** The secrets that sign now: the current one, and replaced ones until they expire. */
  signing(signer: { readonly orgId: OrgId; readonly endpointId: EndpointId | null }): Promise<readonly string[]>;
  ofOrganization(orgId: OrgId): Promise<WebhookSecretJson>;
  /** Replaces the secret. Rejects with `rate_limit_exceeded` if it was replaced too often. */
  rotateOrganization(orgId: OrgId): Promise<WebhookSecretJson>;
  /** Returns the current secret of an endpoint. Rejects with `webhook_endpoint_not_found`, as `rotateEndpoint` does. */
  ofEndpoint(orgId: OrgId, id: EndpointId): Promise<WebhookSecretJson>;
  rotateEndpoint(orgId: OrgId, id: EndpointId): Promise<WebhookSecretJson>;
}

export function createSigningSecrets(deps: {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
}): SigningSecrets {
  const { db, sealer, clock } = deps;

  const sealedOfOrganization = (row: typeof organizations.$inferSelect): Sealed => {
    const { olderWebhookSecrets: older, previousWebhookSecret: secret, previousWebhookSecretUntil: until } = row;
    const all = secret !== null && until !== null ? [...older, { secret, until: until.toISOString() }] : older;
    return { current: row.webhookSecret, replaced: stillSigning(all), belongsTo: webhookSecretOf(row.id) };
  };
  const sealedOfEndpoint = (row: EndpointRow): Sealed => ({
    current: row.secret,
    replaced: stillSigning(row.replacedSecrets),
    belongsTo: endpointSecretOf(row.id),
  });
  const stillSigning = (all: readonly ReplacedSecret[]) => all.filter(({ until }) => Date.parse(until) > clock.nowMs());

  function presentSecret({ current, replaced, belongsTo }: Sealed): WebhookSecretJson {
    const last = replaced.at(-1);
    return {
      secret: sealer.open(current, belongsTo),
      ...(last ? { previous_secret_until: unixSeconds(new Date(last.until)) } : {}),
    };
  }

  /** Returns a new sealed secret, and until when the current one also signs. Throws if there are too many secrets. */
  function replacementOf({ replaced, belongsTo }: Sealed): { readonly secret: string; readonly until: Date } {
    const now = clock.nowMs();
    const [first] = replaced;
    if (first && replaced.length + 1 >= MAX_SECRETS) throw tooManySecrets(first, now);
    return { secret: sealer.seal(newWebhookSecret(), belongsTo), until: new Date(now + OVERLAP_MS) };
  }

  async function findSealed(reader: Db, orgId: OrgId): Promise<Sealed | undefined> {
    const [row] = await reader.orm.select().from(organizations).where(eq(organizations.id, orgId));
    return row && sealedOfOrganization(row);
  }

  async function ofOrganization(orgId: OrgId): Promise<WebhookSecretJson> {
    const sealed = await findSealed(db, orgId);
    if (!sealed)
      throw new GatewayError(
        'internal_error',
        'The organisation has no webhook secret. Try again; if this persists, contact the operator of this installation.',
      );
    return presentSecret(sealed);
  }

  async function ofEndpoint(orgId: OrgId, id: EndpointId): Promise<WebhookSecretJson> {
    const row = await findEndpoint(db, orgId, id);
    if (!row) throw endpointNotFound();
    return presentSecret(sealedOfEndpoint(row));
  }

  return {
    async signing({ orgId, endpointId }) {
      const endpoint = endpointId === null ? undefined : await findEndpoint(db, orgId, endpointId);
      const sealed = endpointId === null ? await findSealed(db, orgId) : endpoint && sealedOfEndpoint(endpoint);
      if (!sealed) return [];
      const { current, replaced, belongsTo } = sealed;
      return [current, ...replaced.map(({ secret }) => secret)].map((secret) => sealer.open(secret, belongsTo));
    },

    ofOrganization,

    async rotateOrganization(orgId) {
      await db.inTransaction(async (tx) => {
        // Locked, so that of two rotations at the same time neither drops the other one's secret.
        const [row] = await tx.orm.select().from(organizations).where(eq(organizations.id, orgId)).for('no key update');
        if (!row) return;
        const sealed = sealedOfOrganization(row);
        const { secret, until } = replacementOf(sealed);
        await tx.orm
          .update(organizations)
          .set({
            olderWebhookSecrets: sealed.replaced,
            previousWebhookSecret: sealed.current,
            previousWebhookSecretUntil: until,
            webhookSecret: secret,
          })
          .where(eq(organizations.id, orgId));
      });
      return ofOrganization(orgId);
    },

    ofEndpoint,

    async rotateEndpoint(orgId, id) {
      await db.inTransaction(async (tx) => {
        const row = await lockEndpoint(tx, orgId, id);
        if (!row) throw endpointNotFound();
        const sealed = sealedOfEndpoint(row);
        const { secret, until } = replacementOf(sealed);
        await updateEndpoint(tx, id, {
          secret,
          replacedSecrets: [...sealed.replaced, { secret: sealed.current, until: until.toISOString() }],
        });
      });
      return ofEndpoint(orgId, id);
    },
  };
}

function tooManySecrets({ until }: ReplacedSecret, nowMs: number): GatewayError {
  return new GatewayError(
    'rate_limit_exceeded',
    `The secret was rotated ${MAX_SECRETS - 1} times within 24 hours, and each replaced secret signs for 24 hours. Rotate it again after ${until}.`,
    { retryAfterSeconds: Math.ceil((Date.parse(until) - nowMs) / 1_000) },
  );
}
