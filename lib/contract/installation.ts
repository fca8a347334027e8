import { z } from 'zod';
import { transferSchema } from './credits';
import { listOf, modeSchema, unixSeconds, type JsonOf } from './fields';
import { healthSchema } from './health';
import { keySchema } from './keys';
import { organizationLimitsSchema } from './limits';
import { memberSchema } from './members';
import { organizationSchema } from './organizations';
import { requestPageSchema } from './requests';
import { textLine } from './text-line';

// The installation as its operators see it: its state, its operators, and the support view of one organisation.

const jobKindSchema = z.strictObject({
  kind: z.string().describe('Such as "video.check".'),
  waiting: z.int().describe('Due, and not yet claimed.'),
  oldest_wait_seconds: z
    .number()
    .nullable()
    .describe('How many seconds the oldest waiting job has been due; null if none waits.'),
  scheduled: z.int().describe('Due later.'),
  running: z.int(),
  failing: z.int().describe('The jobs whose last run had no outcome.'),
});

const runningJobSchema = z.strictObject({
  kind: z.string(),
  mode: modeSchema,
  organization: z.string(),
  place: z.string().describe('What it waits for: a provider, or the host of a receiver.'),
  subject: z.string().describe('The id of the video, the delivery or the alert.'),
  failures: z.int().describe('Earlier runs in a row without an outcome.'),
});

const circuitSchema = z.strictObject({
  provider: z.string(),
  model: z.string().describe("The provider's name of the model."),
  own_account: z
    .string()
    .nullable()
    .describe("An organisation's own account; null for the account of the installation."),
  state: z
    .enum(['open', 'half_open', 'cooling'])
    .describe('open: not called. half_open: the next call is a trial. cooling: called only after the others.'),
  until: unixSeconds.nullable().describe('When the pause ends; null if it is over.'),
});

/** The state of the installation. Everything except the queue is the state of the process that answers. */
export type InstallationStatusJson = JsonOf<typeof installationStatusSchema>;
export const installationStatusSchema = z.strictObject({
  object: z.literal('installation_status'),
  versions: z.strictObject({ patchbay: z.string(), node: z.string() }),
  process: z.strictObject({
    role: z.enum(['all', 'web', 'worker']),
    started_at: unixSeconds,
    event_loop_delay_ms: z.number().describe('The median since the last reading.'),
    waiting_queries: z.int().describe('Queries that wait for a connection to the database.'),
    overloaded: z.strictObject({ live: z.boolean(), test: z.boolean() }).describe('Whether new work is refused.'),
  }),
  health: healthSchema.shape.health,
  queue: z.strictObject({
    kinds: z.array(jobKindSchema),
    running: z.array(runningJobSchema).describe('At most 50.'),
  }),
  circuits: z.array(circuitSchema).describe('The models of providers that are not healthy in this process.'),
  catalog_file: z
    .strictObject({
      path: z.string(),
      errors: z
        .array(z.string())
        .describe(
          'The errors of the file, because of which the previous catalog stays in force; empty without errors.',
        ),
    })
    .nullable()
    .describe('The file named by CATALOG_FILE; null if none is set.'),
  providers: z.strictObject({ offered: z.int(), known: z.int() }),
});

/** The support view of an organisation: no content of requests, and no secrets. */
export type SupportViewJson = JsonOf<typeof supportViewSchema>;
export const supportViewSchema = z.strictObject({
  object: z.literal('support_view'),
  mode: modeSchema.describe('The mode of the requests and the transfers.'),
  organization: organizationSchema,
  members: z.array(memberSchema),
  keys: z.array(keySchema),
  limits: organizationLimitsSchema,
  requests: requestPageSchema.describe('The 50 latest.'),
  transfers: z.array(transferSchema).describe('The 20 latest.'),
});

export type OperatorJson = JsonOf<typeof operatorSchema>;
export const operatorSchema = z.strictObject({
  id: z.string().describe('The id of the person.'),
  object: z.literal('operator'),
  email: z.string(),
  name: z.string().nullable(),
  since: unixSeconds,
});
export type OperatorListJson = JsonOf<typeof operatorListSchema>;
export const operatorListSchema = listOf(operatorSchema);

const PERSON = 'person must be the id or the e-mail address of an account.';
export const addOperatorRequestSchema = z.strictObject({
  person: textLine(PERSON, 'person', 254),
});
