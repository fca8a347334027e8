import { randomBytes } from 'node:crypto';
import { ticketPaths, ticketRequestSchema, type TicketJson, type TicketRequest } from '../contract/sign-in';
import type { Actor, Caller } from '../domain/caller';
import { unixSeconds } from '../domain/clock';
import { GatewayError } from '../domain/errors';
import { checkMay } from '../domain/check-may';
import type { Db } from '../db/database';
import { findUsableKey, insertTicket, removeOldTickets, spendTicket } from '../db/tickets';
import { callerOfPeople } from './caller-of-people';
import { knownKey } from './key-lookup';
import { hashSecret } from './secrets';

// A browser cannot send a header with a WebSocket, and a key does not belong in a URL, because URLs end up in logs and
// histories. So the console gets a ticket. It opens one socket of one kind, once, within a minute.

export interface Tickets {
  /** Creates a ticket from `{"path":"/v1/audio/speech/ws","mode":"test"}`. It is shown once. */
  create(actor: Actor, body: unknown): Promise<TicketJson>;
  /** Returns the caller of a ticket; each ticket works once. Rejects with `invalid_api_key`. */
  redeem(ticket: string, path: string): Promise<Caller>;
}

const PREFIX = 'wst_';
const LIFETIME_MS = 60_000;
const SHAPE = /^wst_[A-Za-z0-9_-]{43}$/;

export function isTicket(token: string): boolean {
  return token.startsWith(PREFIX);
}

export function createTickets({ db }: { db: Db }): Tickets {
  return {
    async create(actor, body) {
      checkMay(actor, 'edit');
      const { path, mode } = parseTicketRequest(body);
      const ticket = PREFIX + randomBytes(32).toString('base64url');
      const expiresAt = await insertTicket(db, LIFETIME_MS, {
        hash: hashSecret(ticket),
        orgId: actor.orgId,
        mode,
        keyId: actor.keyId ?? null,
        signInId: actor.signInId,
        path,
      });
      await removeOldTickets(db, LIFETIME_MS);
      return { object: 'socket_ticket', ticket, expires_at: unixSeconds(expiresAt) };
    },

    async redeem(ticket, path) {
      const spent = SHAPE.test(ticket) ? await spendTicket(db, hashSecret(ticket), path) : undefined;
      if (!spent)
        throw new GatewayError(
          'invalid_api_key',
          'This ticket is unknown, used, expired, or for another socket. Create a new one: a ticket opens one socket, once, within a minute.',
        );
      const { orgId, mode, keyId, signInOrigin } = spent;
      if (keyId === null)
        return {
          ...(await callerOfPeople(db, { orgId, mode })),
          isByTicket: true,
          ...(signInOrigin === null ? {} : { signInOrigin }),
        };
      const found = await findUsableKey(db, keyId);
      if (!found) throw new GatewayError('revoked_api_key', 'The key that created this ticket was revoked.');
      const { caller } = knownKey(found);
      // A key with the scope `manage` may create tickets; the other limits of its policy still apply.
      const scopes = [...new Set([...caller.policy.scopes, 'inference' as const])];
      return { ...caller, mode, policy: { ...caller.policy, scopes }, isByTicket: true };
    },
  };
}

function parseTicketRequest(body: unknown): TicketRequest {
  const parsed = ticketRequestSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  if (parsed.error.issues[0]?.path[0] !== 'mode')
    throw new GatewayError('unsupported_value', `path must be ${ticketPaths.join(' or ')}.`, {
      param: 'path',
      details: { allowed: ticketPaths },
    });
  throw new GatewayError('unsupported_value', 'mode must be "test" or "live".', {
    param: 'mode',
    details: { allowed: ['test', 'live'] },
  });
}
