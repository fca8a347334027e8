import { randomBytes } from 'node:crypto';
import type { Accounts, ActivePerson } from '../accounts/accounts';
import { hashSecret } from '../accounts/secrets';
import type { Passwords } from '../accounts/password';
import {
  createInvitationRequestSchema,
  invitationSignUpRequestSchema,
  invitationTokenSchema,
  type AcceptedInvitationJson,
  type InvitationJson,
  type InvitationListJson,
  type MadeInvitationJson,
  type OpenedInvitationJson,
} from '../contract/invitations';
import { parseBody } from '../contract/parse-body';
import type { Database, Tx } from '../db/database';
import {
  countInvitations,
  findInvitation,
  findOpenInvitation,
  insertInvitation,
  listInvitations,
  removeInvitation,
  renewInvitation,
  spendInvitation,
  type InvitationRow,
} from '../db/invitations';
import { findMakerOfKey } from '../db/keys';
import { findOrganizationName } from '../db/organizations';
import { addMember, addPerson, findMember } from '../db/members';
import { findPersonByEmail, lockOrganization } from '../db/people';
import type { Actor, Role } from '../domain/caller';
import { checkMay } from '../domain/check-may';
import { unixSeconds, type Clock } from '../domain/clock';
import { errorForLog, GatewayError } from '../domain/errors';
import { isId, newId, type OrgId, type UserId } from '../domain/ids';
import type { Log } from '../domain/log';
import type { WindowCounters } from '../limits/window-counters';
import type { Mailer } from '../mail/mailer';
import { networkOf } from '../net/client-address';
import { currentActor } from './members';

// Invitations: links with which people join an organisation, and with which they can make an account even where
// sign-up is closed. The person who invites sees the link once and may send it in any way; with SMTP it is mailed too.
// So a link proves no e-mail address: an account that it creates has an unverified one.

export interface Invitations {
  /** Newest first, expired ones included. For owners and admins. */
  list(actor: Actor): Promise<InvitationListJson>;
  /**
   * `{"role", "email"}`, the address is optional. Rejects with `role_required`, `already_member`, `unsupported_value`
   * for one too many, `rate_limit_exceeded`, or as `parseBody` does.
   */
  create(actor: Actor, body: unknown): Promise<MadeInvitationJson>;
  /** Makes a new link for the same invitation, valid for the full time; the old link stops working. */
  resend(actor: Actor, id: string): Promise<MadeInvitationJson>;
  /** Withdraws an invitation and returns its address and role. Rejects with `invitation_not_found`. */
  revoke(actor: Actor, id: string): Promise<Pick<InvitationRow, 'email' | 'role'>>;
  /** Returns what the link with `{"token"}` is for. Rejects with `invitation_not_found` or `rate_limit_exceeded`. */
  open(body: unknown, remoteAddress: string): Promise<OpenedInvitationJson>;
  /** `{"token"}`: the person joins. Rejects as `open` does, with `invitation_not_for_you` or with `already_member`. */
  accept(person: ActivePerson, body: unknown, remoteAddress: string): Promise<Accepted>;
  /**
   * `{"token", "password", "email", "name"}`: makes an account that belongs to the organisation; it then signs in with
   * its password. Rejects as `accept` does, or with `account_exists`.
   */
  signUp(body: unknown, remoteAddress: string): Promise<Accepted>;
}

export interface Accepted {
  readonly orgId: OrgId;
  readonly userId: UserId;
  readonly json: AcceptedInvitationJson;
}

export interface InvitationsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly baseUrl: string;
  readonly mailer: Mailer | undefined;
  readonly counters: WindowCounters;
  readonly passwords: Passwords;
  readonly accounts: Pick<Accounts, 'forgetPerson'>;
}

const LIFETIME_MS = 7 * 24 * 60 * 60_000;
const MAX_INVITATIONS = 100;
/** The maximum number of links that an organisation makes in an hour; each may send an e-mail. */
const MAX_LINKS = 50;
const LINKS_MS = 60 * 60_000;
/** The maximum number of attempts to open or use a link from one IPv4 address or IPv6 /64. */
const MAX_ATTEMPTS = 60;
const ATTEMPTS_MS = 15 * 60_000;

export function createInvitations(deps: InvitationsDeps): Invitations {
  const { db, clock, log, baseUrl, mailer, counters, passwords, accounts } = deps;

  async function takeLink({ orgId }: Actor): Promise<void> {
    await take(`invitation-links ${orgId}`, MAX_LINKS, LINKS_MS, 'Your organisation made too many invitations.');
  }

  async function takeAttempt(remoteAddress: string): Promise<void> {
    const network = hashSecret(networkOf(remoteAddress));
    await take(`invitation-attempts ${network}`, MAX_ATTEMPTS, ATTEMPTS_MS, 'Too many invitations were opened.');
  }

  async function take(name: string, max: number, windowMs: number, sentence: string): Promise<void> {
    const { allowed, endsInMs } = await counters.take({ name, max, windowMs });
    if (allowed) return;
    throw new GatewayError('rate_limit_exceeded', `${sentence} Try again in a few minutes.`, {
      retryAfterSeconds: Math.max(1, Math.ceil(endsInMs / 1000)),
    });
  }

  function newLink() {
    const token = randomBytes(32).toString('base64url');
    return {
      hash: hashSecret(token),
      expiresAt: new Date(clock.nowMs() + LIFETIME_MS),
      // In the fragment, which is not sent to servers and not logged.
      link: `${baseUrl}/console/invitation#${token}`,
    };
  }

  /** Mails the link, if there is an address and a mail server; a failure is part of the answer. */
  async function mailLink(row: InvitationRow, orgName: string, link: string): Promise<MadeInvitationJson['mail']> {
    if (!mailer || row.email === null) return 'none';
    try {
      await mailer.send({
        to: row.email,
        subject: `You are invited to ${orgName} on Patchbay`,
        text: invitationText(orgName, row.role, link, new URL(baseUrl).host),
      });
      return 'sent';
    } catch (error) {
      log.error('an invitation could not be mailed', { orgId: row.orgId, error: errorForLog(error) });
      return 'failed';
    }
  }

  function present(invitation: InvitationRow, invitedBy: string | null): InvitationJson {
    const { id, role, email, createdAt, expiresAt } = invitation;
    return {
      id,
      object: 'invitation',
      role,
      email,
      invited_by: invitedBy,
      created_at: unixSeconds(createdAt),
      expires_at: unixSeconds(expiresAt),
      expired: expiresAt <= clock.now(),
    };
  }

  /**
   * Returns the person with whose rights the invitation ends: for a key, its creator. Undefined for operators and their
   * keys.
   */
  async function inviterOf({ userId, keyId }: Actor): Promise<UserId | undefined> {
    return userId ?? (keyId && (await findMakerOfKey(db, keyId)));
  }

  /** Checks the actor's current role, which is read again in the transaction that depends on it. */
  async function checkMayInvite(tx: Tx, actor: Actor, role: Role): Promise<void> {
    const current = await currentActor(tx, actor);
    checkMay(current, 'members');
    if (role === 'owner') checkMay(current, 'owners');
  }

  async function made(actor: Actor, row: InvitationRow, link: string): Promise<MadeInvitationJson> {
    const orgName = (await findOrganizationName(db, actor.orgId)) ?? '';
    const inviter = row.invitedBy === null ? undefined : await findMember(db, actor.orgId, row.invitedBy);
    const mail = await mailLink(row, orgName, link);
    return { ...present(row, inviter?.email ?? null), link, mail };
  }

  /** Returns the invitation of a token. Rejects alike if the token is used, withdrawn, expired or invented. */
  async function getOpen(token: string) {
    const found = await findOpenInvitation(db, hashSecret(token), clock.now());
    if (!found) throw linkNotFound();
    return found;
  }

  async function join(tx: Tx, invitation: InvitationRow, userId: UserId): Promise<void> {
    const { orgId, role, hash } = invitation;
    await lockOrganization(tx, orgId);
    if (!(await spendInvitation(tx, hash, clock.now()))) throw linkNotFound();
    if (!(await addMember(tx, { orgId, userId, role, createdAt: clock.now() }))) throw alreadyMember();
  }

  function accepted(invitation: InvitationRow, orgName: string, userId: UserId, email: string): Accepted {
    const { orgId, role } = invitation;
    accounts.forgetPerson(userId);
    return {
      orgId,
      userId,
      json: { object: 'accepted_invitation', organization: { id: orgId, name: orgName }, email, role },
    };
  }

  return {
    async list(actor) {
      checkMay(actor, 'members');
      const rows = await listInvitations(db, actor.orgId);
      return {
        object: 'list',
        data: rows.map(({ invitation, invitedBy }) => present(invitation, invitedBy)),
        mail: mailer !== undefined,
      };
    },

    async create(actor, body) {
      checkMay(actor, 'members');
      const { role, email } = parseBody(createInvitationRequestSchema, body);
      await takeLink(actor);
      const { link, ...secret } = newLink();
      const row: InvitationRow = {
        id: newId('invitation'),
        orgId: actor.orgId,
        role,
        email: email ?? null,
        invitedBy: (await inviterOf(actor)) ?? null,
        createdAt: clock.now(),
        ...secret,
      };
      await db.inTransaction(async (tx) => {
        await lockOrganization(tx, actor.orgId);
        await checkMayInvite(tx, actor, role);
        const person = email === undefined ? undefined : await findPersonByEmail(tx, email);
        if (person?.memberships.some(({ orgId }) => orgId === actor.orgId)) throw alreadyMember();
        if ((await countInvitations(tx, actor.orgId)) >= MAX_INVITATIONS)
          throw new GatewayError(
            'unsupported_value',
            `An organisation has at most ${MAX_INVITATIONS} invitations. Withdraw some that are no longer needed.`,
          );
        await insertInvitation(tx, row);
      });
      return made(actor, row, link);
    },

    async resend(actor, id) {
      checkMay(actor, 'members');
      if (!isId('invitation', id)) throw notFound();
      await takeLink(actor);
      const { link, ...secret } = newLink();
      const renewed = { ...secret, invitedBy: (await inviterOf(actor)) ?? null };
      const row = await db.inTransaction(async (tx) => {
        await lockOrganization(tx, actor.orgId);
        const found = await findInvitation(tx, actor.orgId, id);
        if (!found) throw notFound();
        await checkMayInvite(tx, actor, found.role);
        await renewInvitation(tx, id, renewed);
        return { ...found, ...renewed };
      });
      return made(actor, row, link);
    },

    async revoke(actor, id) {
      checkMay(actor, 'members');
      const removed = isId('invitation', id)
        ? await db.inTransaction((tx) => removeInvitation(tx, actor.orgId, id))
        : undefined;
      if (!removed) throw notFound();
      return removed;
    },

    async open(body, remoteAddress) {
      const { token } = parseBody(invitationTokenSchema, body);
      await takeAttempt(remoteAddress);
      const { invitation, orgName } = await getOpen(token);
      const { role, email, expiresAt } = invitation;
      return {
        object: 'opened_invitation',
        organization: orgName,
        role,
        email,
        account_exists: email !== null && (await findPersonByEmail(db, email)) !== undefined,
        expires_at: unixSeconds(expiresAt),
      };
    },

    async accept(person, body, remoteAddress) {
      const { token } = parseBody(invitationTokenSchema, body);
      await takeAttempt(remoteAddress);
      const { invitation, orgName } = await getOpen(token);
      checkAddress(invitation, person.email);
      await db.inTransaction((tx) => join(tx, invitation, person.userId));
      return accepted(invitation, orgName, person.userId, person.email);
    },

    async signUp(body, remoteAddress) {
      const { token, password, name, email: wanted } = parseBody(invitationSignUpRequestSchema, body);
      await takeAttempt(remoteAddress);
      const { invitation, orgName } = await getOpen(token);
      const email = wanted ?? invitation.email;
      if (email === null)
        throw new GatewayError(
          'missing_required_parameter',
          'email is required, because the invitation does not contain one.',
          {
            param: 'email',
          },
        );
      checkAddress(invitation, email);
      if (await findPersonByEmail(db, email)) throw accountExists();
      // Before the transaction: hashing is slow, and the embedded database has one connection.
      const passwordHash = await passwords.hash(password);
      const userId = newId('user');
      await db.inTransaction(async (tx) => {
        const person = { id: userId, email, name: name ?? null, passwordHash, invited: true, createdAt: clock.now() };
        if (!(await addPerson(tx, person))) throw accountExists();
        await join(tx, invitation, userId);
      });
      return accepted(invitation, orgName, userId, email);
    },
  };
}

function checkAddress(invitation: InvitationRow, email: string): void {
  if (invitation.email === null || invitation.email === email) return;
  throw new GatewayError(
    'invitation_not_for_you',
    `This invitation is for ${invitation.email}. Sign in with that address, or ask for an invitation to ${email}.`,
    { param: 'email' },
  );
}

function invitationText(orgName: string, role: Role, link: string, host: string): string {
  return [
    `You are invited to join ${orgName} as ${role} on Patchbay at ${host}. Open this link to accept:`,
    '',
    link,
    '',
    'It works once, within 7 days. If you did not expect it, ignore this e-mail.',
  ].join('\n');
}

function linkNotFound(): GatewayError {
  return new GatewayError(
    'invitation_not_found',
    'This invitation was used or withdrawn, or is older than 7 days. Ask the person who invited you for a new link.',
  );
}

function notFound(): GatewayError {
  return new GatewayError('invitation_not_found', 'Your organisation has no invitation with this id.');
}

function alreadyMember(): GatewayError {
  return new GatewayError('already_member', 'This person is a member of the organisation already.');
}

function accountExists(): GatewayError {
  return new GatewayError(
    'account_exists',
    'There is an account with this address already. Sign in to it, then open the invitation again.',
    { param: 'email' },
  );
}
