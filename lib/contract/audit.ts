import { z } from 'zod';
import { pageWithIdsOf, unixSeconds, type JsonOf } from './fields';

// The audit log of an organisation.

export type AuditEntryJson = JsonOf<typeof auditEntrySchema>;
const auditEntrySchema = z.strictObject({
  id: z.string(),
  object: z.literal('audit_entry'),
  actor: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('person'), id: z.string(), email: z.string().exactOptional() }),
      z.strictObject({ type: z.literal('key'), id: z.string(), name: z.string().exactOptional() }),
      z.strictObject({
        type: z.literal('operator'),
        id: z.string().exactOptional(),
        email: z.string().exactOptional(),
      }),
    ])
    .describe(
      'A person with the e-mail address, a key with its name, or the operator of the installation: a person, or none for the operator token.',
    ),
  action: z.string().describe('Such as "key.created".'),
  target: z.string().nullable().describe('The id of the changed object.'),
  target_name: z.string().nullable().describe('The name of a key, as it is now.'),
  detail: z.string().nullable().describe('What the id does not say, such as a new role.'),
  address: z.string().nullable().describe('The network address of the request; null for the operator.'),
  at: unixSeconds,
});
/** What the operator did in an organisation or for the installation. */
export type OperatorEntryJson = JsonOf<typeof operatorEntrySchema>;
const operatorEntrySchema = z.strictObject({
  id: z.string(),
  object: z.literal('operator_audit_entry'),
  organization: z
    .strictObject({ id: z.string(), name: z.string() })
    .nullable()
    .describe('Null if the entry is about the installation.'),
  actor: z
    .strictObject({ id: z.string(), email: z.string().nullable() })
    .nullable()
    .describe('The person; null for the operator token.'),
  action: z.string(),
  target: z.string().nullable(),
  detail: z.string().nullable(),
  at: unixSeconds,
});
export type OperatorEntryPageJson = JsonOf<typeof operatorEntryPageSchema>;
export const operatorEntryPageSchema = pageWithIdsOf(operatorEntrySchema);
export type AuditPageJson = JsonOf<typeof auditPageSchema>;
export const auditPageSchema = pageWithIdsOf(auditEntrySchema);
