import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { usdText } from '../domain/money';
import { policyLevels, policyRules, type PolicyColumns } from '../domain/policy';
import { limitOfUsd, modeSchema, usd, type JsonOf } from './fields';

// What an organisation, a project and a key allow, with the same fields for each, and the policy simulator. In a
// request every mistake is an error: if a misspelt restriction were ignored, more would be allowed than intended.

const allowed = z.array(z.string()).nullable().describe('Null allows everything.');

export type PolicyFieldsJson = JsonOf<z.ZodObject<typeof policyFields>>;
export const policyFields = {
  allowed_models: allowed,
  allowed_providers: allowed,
  allowed_regions: z
    .array(z.string())
    .nullable()
    .describe('Where providers process data, as the operator states it. Null allows everything.'),
  allowed_endpoints: allowed,
  allowed_addresses: allowed,
  max_price_per_request: usd
    .nullable()
    .describe('The maximum price of one video, message or spoken text. Null: no ceiling.'),
  max_price_per_minute: usd.nullable().describe('The maximum price of a minute of transcription. Null: no ceiling.'),
};

function list(param: string, of: string, accepts: RegExp) {
  const rule = `${param} must be null or a list of 1 to 100 ${of}.`;
  return z
    .array(z.string(rule).regex(accepts, rule), rule)
    .min(1, `${rule} An empty list would allow nothing; null allows everything.`)
    .max(100, rule)
    .transform((texts) => [...new Set(texts)])
    .nullable()
    .optional();
}

const ADDRESSES =
  'allowed_addresses must be null or a list of 1 to 100 IP addresses or ranges such as "203.0.113.7", "203.0.113.0/24" or "2001:db8::/32".';

const ceiling = (param: string) =>
  limitOfUsd(
    `${param} must be null or a decimal string of dollars such as "0.50", not negative, with at most nine decimals and at most 1000000000.`,
  )
    .nullable()
    .optional();

/** An absent field stays as it is, null removes the restriction. */
export const policyRequestFields = {
  allowed_models: list('allowed_models', 'model ids such as "sandbox-t2v"', /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$/),
  allowed_providers: list('allowed_providers', 'provider ids such as "sandbox"', /^[a-z0-9][a-z0-9._-]{0,63}$/),
  allowed_regions: list('allowed_regions', 'data regions such as "eu"', /^[a-z0-9][a-z0-9-]{0,31}$/),
  allowed_endpoints: list('allowed_endpoints', 'path prefixes such as "/v1/videos"', /^\/v1(?:\/[a-z_]{1,64}){0,8}$/),
  allowed_addresses: z
    .array(z.string(ADDRESSES).refine(isAddressOrRange, ADDRESSES), ADDRESSES)
    .min(1, `${ADDRESSES} An empty list would allow nothing; null allows everything.`)
    .max(100, ADDRESSES)
    .transform((texts) => [...new Set(texts)])
    .nullable()
    .optional(),
  max_price_per_request: ceiling('max_price_per_request'),
  max_price_per_minute: ceiling('max_price_per_minute'),
};

/**
 * Whether the text is an address or a range. Accepts strict forms only: `ipaddr.js` also accepts `1` and `0x7f.1` as
 * addresses.
 */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const v4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (!v4 && !(ipaddr.IPv6.isValid(address) && !address.includes('%'))) return false;
  return bits === undefined || ipaddr.isValidCIDR(text);
}

/** The policy of an organisation. */
export type OrganizationPolicyJson = JsonOf<typeof organizationPolicySchema>;
export const organizationPolicySchema = z.strictObject({ object: z.literal('policy'), ...policyFields });

export const updatePolicyRequestSchema = z.strictObject(policyRequestFields);
export type PolicyRequest = z.infer<typeof updatePolicyRequestSchema>;

/** The endpoints that the simulator knows, with the kind of model that each serves. */
export const simulatedEndpoints = {
  '/v1/videos': 'video',
  '/v1/messages': 'messages',
  '/v1/messages/count_tokens': 'messages',
  '/v1/audio/transcriptions/ws': 'stt',
  '/v1/audio/speech/ws': 'tts',
} as const;
export type SimulatedEndpoint = keyof typeof simulatedEndpoints;
// Safe: the keys of the object.
export const simulatedPaths = Object.keys(simulatedEndpoints) as readonly SimulatedEndpoint[];

const ENDPOINT = `endpoint must be one of ${simulatedPaths.join(', ')}.`;
const ADDRESS = 'address must be an IP address such as "203.0.113.7".';

export const simulationRequestSchema = z.strictObject({
  key_id: z.string('key_id must be the id of a key, such as key_… from GET /console/api/keys.'),
  model: z.string('model must be a model as a request names it.').max(200),
  endpoint: z.enum(simulatedPaths, ENDPOINT).optional().describe('If left out: the endpoint that serves the model.'),
  address: z
    .string(ADDRESS)
    .refine((text) => ipaddr.isValid(text) && !text.includes('/'), ADDRESS)
    .optional()
    .describe('The address of the client. If left out, no address is compared.'),
  parameters: z
    .record(z.string(), z.unknown(), 'parameters must be an object with the parameters of the request.')
    .optional()
    .describe(
      'The parameters that determine the price: those of the request of a video; `input_tokens` and `max_tokens` of a message; `input` or `characters` of speech; `language` of a transcription. If left out, only the price of a minute is compared.',
    ),
});

const decidedBy = {
  level: z.enum(policyLevels).nullable().describe('Null if no policy decides it.'),
  rule: z.enum([...policyRules, 'key', 'scope']).nullable(),
};

/** What would happen to a request. Spend limits, credits and the other limits are not compared. */
export type SimulationJson = JsonOf<typeof simulationSchema>;
export const simulationSchema = z.strictObject({
  object: z.literal('policy_simulation'),
  allowed: z.boolean(),
  model: z.string().nullable().describe('The id of the catalog; null for an unknown model.'),
  mode: modeSchema.describe('The mode of the key.'),
  endpoint: z.string().nullable(),
  code: z.string().nullable().describe('The error code of the refusal; null if it is allowed.'),
  ...decidedBy,
  sentence: z.string().describe('Why it is refused, or that it is allowed.'),
  price_compared: z.boolean().describe('False if the parameters that determine the price were left out.'),
  candidates: z
    .array(
      z.strictObject({
        provider: z.string(),
        used: z.boolean().describe('Whether it may serve the request.'),
        price: usd
          .nullable()
          .describe('The price of the request, or of a minute of a transcription; null if it is not known.'),
        ...decidedBy,
        reason: z.string().nullable().describe('Why it may not serve the request.'),
      }),
    )
    .describe(
      'The providers of the model: those that may serve it in the order in which they are tried, then the others.',
    ),
});

/** Returns the columns of a policy that a request changes. */
export function policyChangesOf(request: PolicyRequest) {
  return {
    ...(request.allowed_models === undefined ? {} : { allowedModels: request.allowed_models }),
    ...(request.allowed_providers === undefined ? {} : { allowedProviders: request.allowed_providers }),
    ...(request.allowed_regions === undefined ? {} : { allowedRegions: request.allowed_regions }),
    ...(request.allowed_endpoints === undefined ? {} : { allowedEndpoints: request.allowed_endpoints }),
    ...(request.allowed_addresses === undefined ? {} : { allowedAddresses: request.allowed_addresses }),
    ...(request.max_price_per_request === undefined ? {} : { maxRequestNanoUsd: request.max_price_per_request }),
    ...(request.max_price_per_minute === undefined ? {} : { maxMinuteNanoUsd: request.max_price_per_minute }),
  };
}

/** A level that allows everything. */
export const openPolicy: PolicyColumns = {
  allowedModels: null,
  allowedProviders: null,
  allowedRegions: null,
  allowedEndpoints: null,
  allowedAddresses: null,
  maxRequestNanoUsd: null,
  maxMinuteNanoUsd: null,
};

export function presentPolicy(row: PolicyColumns): PolicyFieldsJson {
  const price = (amount: bigint | null) => (amount === null ? null : usdText(amount));
  return {
    allowed_models: row.allowedModels,
    allowed_providers: row.allowedProviders,
    allowed_regions: row.allowedRegions,
    allowed_endpoints: row.allowedEndpoints,
    allowed_addresses: row.allowedAddresses,
    max_price_per_request: price(row.maxRequestNanoUsd),
    max_price_per_minute: price(row.maxMinuteNanoUsd),
  };
}
