import { customAlphabet } from 'nanoid';

// Every id is a prefix that names its kind and 128 random bits in hex, except those of messages: ids cannot be guessed,
// and a malformed id is refused before any query.

declare const brand: unique symbol;
type Id<Kind extends string> = string & { readonly [brand]: Kind };

/** A provider's short name, such as `sandbox`: the first part of a pinned model. */
export type ProviderId = string;

export type OrgId = Id<'org'>;
export type UserId = Id<'user'>;
export type KeyId = Id<'key'>;
export type VideoId = Id<'video'>;
export type HoldId = Id<'hold'>;
/** Also the `webhook-id` header, the same on every attempt. */
export type DeliveryId = Id<'delivery'>;
/** A receiver of the webhooks of all videos of an account. */
export type EndpointId = Id<'endpoint'>;
/** One line of the audit log. */
export type AuditId = Id<'audit'>;
/** One sign-in of a person in one browser. */
export type SignInId = Id<'signIn'>;
export type RequestId = Id<'request'>;
export type TransferId = Id<'transfer'>;
/** One audio socket from open to close. */
export type SessionId = Id<'session'>;
/** One transcription or one generation of speech; for a generation it is the `context_id`. */
export type MeterId = Id<'meter'>;
/** A credential of an organisation for its own account at a provider. */
export type CredentialId = Id<'credential'>;
/** A threshold of an account whose crossing is announced to the owners. */
export type AlertId = Id<'alert'>;
/** An invitation to an organisation. */
export type InvitationId = Id<'invitation'>;
/** A group of keys with its own budget and policy. */
export type ProjectId = Id<'project'>;

interface IdTypes {
  org: OrgId;
  user: UserId;
  key: KeyId;
  video: VideoId;
  hold: HoldId;
  delivery: DeliveryId;
  endpoint: EndpointId;
  audit: AuditId;
  signIn: SignInId;
  request: RequestId;
  transfer: TransferId;
  session: SessionId;
  meter: MeterId;
  credential: CredentialId;
  alert: AlertId;
  invitation: InvitationId;
  project: ProjectId;
}

const prefixes: Readonly<Record<keyof IdTypes, string>> = {
  org: 'org',
  user: 'user',
  key: 'key',
  video: 'video',
  hold: 'hold',
  delivery: 'msg',
  endpoint: 'endpoint',
  audit: 'audit',
  signIn: 'signin',
  request: 'req',
  transfer: 'tr',
  session: 'session',
  meter: 'ctx',
  credential: 'cred',
  alert: 'alert',
  invitation: 'inv',
  project: 'project',
};

const randomHex = customAlphabet('0123456789abcdef', 32);

/** Creates a new id, such as `video_3f…` (32 hex digits). */
export function newId<Kind extends keyof IdTypes>(kind: Kind): IdTypes[Kind] {
  // Safe: the prefix and the length are what `isId` checks.
  return `${prefixes[kind]}_${randomHex()}` as IdTypes[Kind];
}

/** Whether this text is a well-formed id of that kind. Does not check that the object exists. */
export function isId<Kind extends keyof IdTypes>(kind: Kind, text: string): text is IdTypes[Kind] {
  const prefix = prefixes[kind];
  return text.startsWith(`${prefix}_`) && /^[0-9a-f]{32}$/.test(text.slice(prefix.length + 1));
}

/** Digits, then upper-case letters, then lower-case letters: safe in URLs, headers and file names. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** As many random characters of `BASE62`, each equally likely; 24 of them hold 142 bits. Fit for secrets. */
export const randomBase62: (length: number) => string = customAlphabet(BASE62);

/** Returns a new id in the form that clients of the messages API know: `msg_` and 24 letters or digits. */
export function newMessageId(): string {
  return `msg_${randomBase62(24)}`;
}
