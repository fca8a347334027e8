import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedKeyJson } from '../../../lib/contract/keys';
import type { SimulationJson } from '../../../lib/contract/policies';
import type { ProjectJson } from '../../../lib/contract/projects';
import type { Actor } from '../../../lib/domain/caller';
import { startAudioServer, type AudioServer } from '../../support/audio-server';
import { checkAnswersOf } from '../../support/check-answers';

// The simulator compared with the real answers of the API, over a real port.

let server: AudioServer;
let baseUrl: string;
let endChecks: () => void;
let owner: Actor;
let project: ProjectJson;
let key: CreatedKeyJson;
beforeAll(async () => {
  server = await startAudioServer();
  baseUrl = `http://127.0.0.1:${server.port}`;
  endChecks = checkAnswersOf(baseUrl);
  owner = { orgId: (await server.caller()).orgId, role: 'owner' };
  project = await manage('POST', '/projects', { name: 'Search' });
  key = await manage('POST', '/keys', { name: 'CI', mode: 'test', project: project.id });
});
afterAll(async () => {
  endChecks();
  await server.close();
});

async function manage<Json>(method: string, path: string, body: object): Promise<Json> {
  const response = await fetch(`${baseUrl}/console/api${path}`, {
    method,
    headers: { authorization: `Bearer ${server.firstRun.keys.live}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

const simulate = (request: object): Promise<SimulationJson> => manage('POST', '/policies/simulate', request);

const open = {
  allowed_models: null,
  allowed_providers: null,
  allowed_regions: null,
  allowed_endpoints: null,
  allowed_addresses: null,
  max_price_per_request: null,
  max_price_per_minute: null,
};
type Rules = { readonly [Field in keyof typeof open]?: string[] | string | null };

/** Sets the policies of the organisation, the project and the key. */
async function setPolicies(organization: Rules, ofProject: Rules, ofKey: Rules): Promise<void> {
  // By a person: an organisation can allow only addresses from which no key of this test calls.
  const { policies, projects, accounts } = server.gateway;
  await policies.update(owner, { ...open, ...organization });
  await projects.update(owner, 'test', project.id, { ...open, ...ofProject });
  await accounts.updateKey(owner, key.id, { ...open, ...ofKey });
}

interface Request {
  readonly endpoint: string;
  readonly model: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** The error sentence of the API's real answer; null if it takes the request. */
async function answerOf({ endpoint, model, parameters }: Request): Promise<string | null> {
  if (endpoint.endsWith('/ws')) return answerOfSocket(endpoint, model, parameters);
  const body =
    endpoint === '/v1/videos'
      ? { model, prompt: 'A paper boat', ...parameters }
      : { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: parameters['max_tokens'] };
  const response = await fetch(baseUrl + endpoint, {
    method: 'POST',
    // A video of this scenario ends at once.
    headers: {
      authorization: `Bearer ${key.key}`,
      'content-type': 'application/json',
      ...(endpoint === '/v1/videos' && { 'x-test-scenario': 'fail' }),
    },
    body: JSON.stringify(body),
  });
  const { error } = (await response.json()) as { error?: { message: string } };
  return error?.message ?? null;
}

async function answerOfSocket(path: string, model: string, parameters: Request['parameters']): Promise<string | null> {
  const isSpeech = path.includes('speech');
  const client = isSpeech ? server.speak({ key: key.key }) : server.transcribe({ key: key.key });
  client.send(
    isSpeech
      ? { type: 'tts', model, voice: 'slt', ...parameters }
      : { type: 'configure', model, sample_rate: 16_000, ...parameters },
  );
  const first = await client.next(({ type }) => ['error', 'audio', 'session_started'].includes(type));
  client.socket.close();
  await client.closed;
  return first.type === 'error' ? String(first['message']) : null;
}

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const some = (...values: readonly string[]) => rarely(fc.subarray([...values], { minLength: 1 }));
const rules: fc.Arbitrary<Rules> = fc.record({
  allowed_models: some('sandbox-t2v', 'veo-3.1-t2v', 'sandbox-text', 'sandbox-tts', 'sandbox-stt'),
  allowed_providers: some('sandbox', 'fal', 'google-ai-studio', 'google-vertex'),
  allowed_regions: some('local', 'eu', 'us'),
  allowed_endpoints: some('/v1/videos', '/v1/messages', '/v1/audio', '/v1/audio/speech'),
  allowed_addresses: some('127.0.0.0/8', '::1', '203.0.113.0/24'),
  max_price_per_request: rarely(fc.constantFrom('0.00001', '0.02', '1.5', '1000')),
  max_price_per_minute: rarely(fc.constantFrom('0.0059', '0.006', '1')),
});
const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({
    endpoint: fc.constant('/v1/videos'),
    model: fc.constantFrom('sandbox-t2v', 'veo-3.1-t2v', 'fal/veo-3.1-t2v', 'sandbox-text', 'nothing'),
    parameters: fc.record({ seconds: fc.constantFrom(4, 8) }),
  }),
  fc.record({
    endpoint: fc.constantFrom('/v1/messages', '/v1/messages/count_tokens'),
    model: fc.constantFrom('sandbox-text', 'sandbox/sandbox-text', 'sandbox-tts'),
    // The price of the hold is between the ceilings for either number of tokens.
    parameters: fc.record({ max_tokens: fc.constantFrom(2, 4_000) }),
  }),
  fc.record({
    endpoint: fc.constant('/v1/audio/speech/ws'),
    model: fc.constantFrom('sandbox-tts', 'sandbox-stt'),
    parameters: fc.record({ input: fc.constantFrom('A boat.', 'A boat. '.repeat(300)) }),
  }),
  fc.record({
    endpoint: fc.constant('/v1/audio/transcriptions/ws'),
    model: fc.constant('sandbox-stt'),
    parameters: fc.constant({}),
  }),
);

it('a policy of the organisation that names a provider that does not exist is refused', async () => {
  await expect(server.gateway.policies.update(owner, { allowed_providers: ['nope'] })).rejects.toMatchObject({
    code: 'unsupported_value',
    extra: { param: 'allowed_providers' },
  });
});

describe('the simulator', () => {
  it('agrees with the answers of the API for 50 random policies and requests', { timeout: 120_000 }, async () => {
    const decisions = new Map<string, number>();
    const pairs = fc.sample(fc.tuple(rules, rules, rules, request), { numRuns: 50, seed: 20261124 });
    for (const [organization, ofProject, ofKey, asked] of pairs) {
      await setPolicies(organization, ofProject, ofKey);
      const parameters = 'max_tokens' in asked.parameters ? { ...asked.parameters, input_tokens: 2 } : asked.parameters;
      const simulated = await server.gateway.policies.simulate(owner, {
        ...asked,
        key_id: key.id,
        address: '127.0.0.1',
        parameters,
      });
      const answer = await answerOf(asked);
      const about = JSON.stringify({ organization, ofProject, ofKey, asked, simulated });
      expect(simulated.allowed ? null : simulated.sentence, about).toBe(answer);
      expect(simulated.candidates.some(({ used }) => used) || !simulated.allowed, about).toBe(true);
      const name = simulated.rule ?? simulated.code ?? 'allowed';
      decisions.set(name, (decisions.get(name) ?? 0) + 1);
    }
    expect([...decisions.keys()]).toEqual(
      expect.arrayContaining(['allowed', 'address', 'endpoint', 'model', 'provider', 'price']),
    );
    expect(decisions.get('allowed')).toBeGreaterThan(8);
  });

  it('names the level and the rule, and why each provider is out', async () => {
    await setPolicies({ allowed_providers: ['fal', 'google-vertex'] }, {}, { max_price_per_request: '2' });
    const { candidates, ...decision } = await simulate({
      key_id: key.id,
      model: 'veo-3.1-t2v',
      parameters: { seconds: 8 },
    });
    expect(decision).toMatchObject({
      allowed: false,
      code: 'price_not_allowed',
      endpoint: '/v1/videos',
      model: 'veo-3.1-t2v',
      level: 'key',
      rule: 'price',
      price_compared: true,
    });
    expect(decision.sentence).toMatch(
      /^This key may not pay \$\d+(\.\d+)? for one request, which is above its price ceiling\./,
    );
    const rulesOf = Object.fromEntries(candidates.map(({ provider, level, rule }) => [provider, `${level} ${rule}`]));
    expect(rulesOf).toMatchObject({
      fal: 'key price',
      'google-vertex': 'key price',
      'google-ai-studio': 'organization provider',
    });
    expect(candidates.every(({ used, reason }) => !used && reason !== null)).toBe(true);
  });

  it('compares the prices of a video whose media are left out, and of a message only with its tokens', async () => {
    await setPolicies({}, {}, { max_price_per_request: '0.00001' });
    for (const model of ['sandbox-i2v', 'sandbox-start-end', 'sandbox-r2v', 'sandbox-video-edit'])
      expect(await simulate({ key_id: key.id, model }), model).toMatchObject({ rule: 'price', price_compared: true });
    expect(await simulate({ key_id: key.id, model: 'sandbox-text' })).toMatchObject({
      allowed: true,
      price_compared: false,
    });
  });

  it('says that a key is disabled, lacks the scope, or that the model is unknown', async () => {
    await setPolicies({}, {}, {});
    const other: CreatedKeyJson = await manage('POST', '/keys', { name: 'Managing', mode: 'live', scopes: ['manage'] });
    const ask = (model = 'sandbox-t2v') => simulate({ key_id: other.id, model });
    expect(await ask()).toMatchObject({ allowed: false, code: 'scope_required', level: 'key', rule: 'scope' });
    await manage('PATCH', `/keys/${other.id}`, { scopes: ['inference'] });
    expect(await ask()).toMatchObject({ allowed: true, code: null, level: null, rule: null });
    expect(await ask('nothing')).toMatchObject({ allowed: false, code: 'model_not_found', level: null, rule: null });
    await manage('PATCH', `/keys/${other.id}`, { disabled: true });
    expect(await ask()).toMatchObject({ allowed: false, code: 'revoked_api_key', level: 'key', rule: 'key' });
  });

  it.each([
    [{ model: 'sandbox-t2v' }, /key_id is required/],
    [{ key_id: 'key_0', model: 'sandbox-t2v' }, /no key with this id/],
    [{ model: 'sandbox-t2v', key_id: '', endpoint: '/v1/credits' }, /endpoint must be one of/],
    [{ model: 'sandbox-t2v', key_id: '', address: '10.0.0.0/8' }, /address must be an IP address/],
  ])('refuses %j', async (body, message) => {
    await setPolicies({}, {}, {});
    await expect(simulate(body)).rejects.toThrow(message);
  });

  it('passes on the error of a parameter that the model does not take', async () => {
    await setPolicies({}, {}, {});
    await expect(simulate({ key_id: key.id, model: 'sandbox-t2v', parameters: { seconds: 99 } })).rejects.toThrow(
      /seconds must be/,
    );
  });
});

describe('the policy of an organisation', () => {
  it('is changed by owners and admins only, and read by everybody', async () => {
    const { policies } = server.gateway;
    const { orgId } = await server.caller();
    await setPolicies({}, {}, {});
    await manage('PATCH', '/policies/organization', { allowed_models: ['sandbox-t2v'] });
    for (const role of ['developer', 'viewer'] as const) {
      await expect(policies.update({ orgId, role }, {})).rejects.toMatchObject({ code: 'role_required' });
      expect(await policies.find({ orgId, role })).toEqual({
        object: 'policy',
        ...open,
        allowed_models: ['sandbox-t2v'],
      });
    }
    const { rows } = await server.db.query(`select action from audit_entries where action = 'policy.changed' limit 1`);
    expect(rows).toHaveLength(1);
  });

  it('applies to people in the console, too', async () => {
    await setPolicies({ allowed_endpoints: ['/v1/messages'], allowed_models: ['sandbox-text'] }, {}, {});
    const { orgId } = await server.caller();
    const caller = await server.gateway.accounts.callerOfPeople({ orgId, mode: 'test' });
    expect(caller.policy.levels).toEqual([
      {
        level: 'organization',
        rules: { allowedEndpoints: ['/v1/messages'], allowedModels: ['sandbox-text'] },
      },
    ]);
  });
});
