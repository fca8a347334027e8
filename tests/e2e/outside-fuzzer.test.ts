import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNoBrowser } from '../support/browser';
import { freePort, startChildServer, type ChildServer } from '../support/child-server';
import { consoleOfFile, cookieHeader } from '../support/console';
import { installOutside } from '../support/outside-packages';

// Tools of others read /openapi.json: json-schema-faker makes requests from it, right and wrong ones, and Prism, as a
// proxy before the product, compares every answer with it. Prism reports what the document does not name. A failure names
// its seed; with FUZZ_SEED the requests are the same again, but for the ids that answers contained.

const ROUNDS = 25;
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 32 - 1));
const OPERATOR_TOKEN = 'the-token-of-the-operator-of-the-fuzzer';
const REQUEST_TIMEOUT_MS = 60_000;
/** These would end the credentials of the run, or its organisation. */
const LEFT_OUT = new Set([
  'post /console/api/organization/deletion',
  'post /console/api/sign-out-everywhere',
  'post /console/api/password',
  'post /console/api/members/{id}/transfer-ownership',
  'patch /console/api/keys/{id}',
  'delete /console/api/keys/{id}',
  'post /console/api/keys/{id}/rotate',
  'post /console/api/installation/organizations/{id}/suspend',
  'post /internal/operator/organizations/{id}/suspend',
  'patch /internal/operator/limits',
  // It speaks JSON-RPC; see tests/http/mcp.test.ts.
  'post /mcp',
]);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: object;
}

interface OperationJson {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        { readonly schema: object; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> }
      >
    >;
  };
  readonly responses: Readonly<Record<string, unknown>>;
}

type PathJson = Readonly<Partial<Record<(typeof METHODS)[number], OperationJson>>>;

interface DocumentJson {
  readonly paths: Readonly<Record<string, PathJson>>;
}

interface Violation {
  readonly location: readonly string[];
  readonly message: string;
}

interface SchemaFaker {
  readonly default: {
    option(options: Readonly<Record<string, unknown>>): void;
    generate(schema: object): unknown;
  };
}

interface RefParser {
  readonly default: {
    dereference(document: unknown, options: object): Promise<DocumentJson>;
  };
}

const skipReason = whyNoBrowser();
if (skipReason) console.log(skipReason);
const tools = skipReason
  ? undefined
  : await installOutside('the fuzzer', [
      '@stoplight/prism-cli@5',
      'json-schema-faker@0.5',
      '@apidevtools/json-schema-ref-parser@11',
    ]);

const running = consoleOfFile('viewer', { OPERATOR_TOKEN });

describe.skipIf(!tools)('requests that others make from /openapi.json', () => {
  let document: DocumentJson;
  let generate: (schema: object) => unknown;
  const proxies: ChildServer[] = [];

  beforeAll(async () => {
    const parser = await tools!.load<RefParser>('@apidevtools/json-schema-ref-parser');
    const response = await fetch(`${running.product.baseUrl}/openapi.json`);
    document = await parser.default.dereference(await response.json(), { dereference: { circular: 'ignore' } });
    const faker = await tools!.load<SchemaFaker>('json-schema-faker');
    faker.default.option({
      optionalsProbability: 0.5,
      fillProperties: false,
      maxItems: 3,
      maxLength: 40,
      failOnInvalidTypes: false,
      failOnInvalidFormat: false,
      random,
    });
    generate = (schema) => faker.default.generate(schema);
  }, 120_000);

  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
    await tools?.dispose();
  });

  /** Prism with this document before the product; returns its base URL. */
  async function startPrism(name: string, contract: unknown): Promise<string> {
    const file = path.join(tools!.directory, `${name}.json`);
    await writeFile(file, JSON.stringify(contract));
    const port = await freePort();
    const { baseUrl } = running.product;
    const options = ['--port', String(port), '--errors', 'false', '--validate-request', 'false'];
    proxies.push(
      await startChildServer([path.join(tools!.commands, 'prism'), 'proxy', file, baseUrl, ...options], {
        ready: 'Prism is listening',
        cwd: tools!.directory,
        signals: ['TERM'],
      }),
    );
    return `http://127.0.0.1:${port}`;
  }

  const violationsOf = (response: Response): readonly Violation[] => {
    const list = JSON.parse(response.headers.get('sl-violations') ?? '[]') as readonly Violation[];
    return list.filter(({ location }) => location[0] === 'response');
  };

  it('are judged by a validator that sees an answer that is not in the document', { timeout: 120_000 }, async () => {
    const { get } = document.paths['/v1/credits']!;
    const { 401: _refused, ...responses } = get!.responses;
    const narrower = { ...document, paths: { '/v1/credits': { get: { ...get, responses } } } };
    const proxy = await startPrism('narrower', narrower);
    const key = running.product.firstRun.keys.live;
    const right = await fetch(`${proxy}/v1/credits`, { headers: { authorization: `Bearer ${key}` } });
    expect([right.status, violationsOf(right)]).toEqual([200, []]);
    const refused = await fetch(`${proxy}/v1/credits`);
    expect([refused.status, violationsOf(refused).length]).toEqual([401, 1]);
  });

  it('get no answer that the document does not name, and no 5xx', { timeout: 1_200_000 }, async () => {
    const proxy = await startPrism('whole', document);
    const { context } = await running.open('/console');
    const cookie = await cookieHeader(context);
    const operations = Object.entries(document.paths).flatMap(([pattern, item]) =>
      METHODS.flatMap((method) => {
        const operation = item[method];
        return operation && !LEFT_OUT.has(`${method} ${pattern}`) ? [{ method, pattern, operation }] : [];
      }),
    );
    /** Ids that answers contained, by the pattern of a path that takes them. */
    const known = new Map<string, string[]>();
    const succeeded = new Set<string>();
    const problems: string[] = [];
    let count = 0;

    for (let round = 0; round < ROUNDS; round += 1) {
      for (const { method, pattern, operation } of operations) {
        const request = makeRequest(pattern, operation, known, generate);
        const headers = { ...request.headers, ...credentialsFor(pattern, cookie) };
        const response = await fetch(proxy + request.path, {
          method: method.toUpperCase(),
          headers,
          body: request.body,
          redirect: 'manual',
          signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        }).catch((error: unknown) => {
          const message = `${method} ${request.path} ${JSON.stringify(request.headers)} ${request.body} was not answered`;
          throw new Error(`${message}, seed ${SEED}`, { cause: error });
        });
        const text = await response.text();
        count += 1;
        if (response.ok) {
          succeeded.add(`${method} ${pattern}`);
          remember(pattern, text, known);
        }
        const violations = violationsOf(response);
        if (response.status >= 500 || violations.length > 0) {
          const reasons = violations.map(({ location, message }) => `${location.join('.')}: ${message}`);
          problems.push([method, request.path, request.body, response.status, text, ...reasons].join(' '));
        }
      }
    }

    console.log(
      `${count} requests to ${operations.length} operations; ${succeeded.size} of these succeeded at least once`,
    );
    expect(problems, `seed ${SEED}`).toEqual([]);
    expect(succeeded.size).toBeGreaterThan(operations.length / 2);
  });

  /** Of an operator, of the owner's browser or of a key; sometimes none. */
  function credentialsFor(pattern: string, cookie: string): Record<string, string> {
    const { baseUrl, firstRun } = running.product;
    if (chance(0.05)) return {};
    if (pattern.startsWith('/internal/operator')) return { authorization: `Bearer ${OPERATOR_TOKEN}` };
    if (pattern.startsWith('/console/api') && chance(0.5)) return { cookie, origin: baseUrl };
    return { authorization: `Bearer ${firstRun.keys.live}` };
  }
});

const random = randomFrom(SEED);
const chance = (share: number) => random() < share;
const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;

/** Numbers from 0 up to 1, the same for the same seed (Mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const TEXTS = ['', 'x', '\u0000', 'é'.repeat(50), '../..', '%', "'; drop table keys", 'video_0'];
const VALUES: readonly unknown[] = [null, true, 0, -1, 1e21, 1.5, [], {}, [[]], { a: { b: 1 } }, ...TEXTS];
/** JSON that Prism takes for no body, and then waits for ever. */
const NEVER_PASSED_ON = new Set(['null', 'false', '0', '""']);
const BROKEN_BODIES = ['', '{', '[]', '"x"', '\uFEFF{}', '{"a":1}{'];

interface MadeRequest {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

function makeRequest(
  pattern: string,
  { parameters = [], requestBody }: OperationJson,
  known: ReadonlyMap<string, readonly string[]>,
  generate: (schema: object) => unknown,
): MadeRequest {
  let filled = pattern;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { name, in: place, required = false, schema } of parameters) {
    const value = chance(0.7) ? generate(schema) : pick(VALUES);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const ids = known.get(pattern) ?? [];
    if (place === 'path')
      filled = filled.replace(`{${name}}`, encodeURIComponent(ids.length > 0 && chance(0.7) ? pick(ids) : text || 'x'));
    else if (place === 'query' && (required || chance(0.4))) query.set(name, text);
    else if (place === 'header' && chance(0.3) && /^[\x20-\x7e]*$/.test(text)) headers[name] = text;
  }
  const search = query.size > 0 ? `?${query.toString()}` : '';
  const [media] = Object.entries(requestBody?.content ?? {});
  if (!media) return { path: filled + search, headers, body: null };
  const [type, { schema, examples = {} }] = media;
  const values = Object.values(examples).map(({ value }) => value);
  const value = values.length > 0 && chance(0.6) ? pick(values) : generate(schema);
  const body = chance(0.1) ? pick(BROKEN_BODIES) : JSON.stringify(chance(0.4) ? value : spoil(value));
  return {
    path: filled + search,
    headers: { ...headers, 'content-type': type },
    body: NEVER_PASSED_ON.has(body) ? '{}' : body,
  };
}

/** The value with one thing changed. */
function spoil(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || chance(0.2)) return pick(VALUES);
  const copy: Record<string, unknown> = { ...value };
  const names = Object.keys(copy);
  const name = names.length === 0 ? 'more' : pick(names);
  if (chance(0.3)) delete copy[name];
  else if (chance(0.2)) copy[`x${name}`] = pick(VALUES);
  else copy[name] = spoil(copy[name]);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

/** Keeps the ids of an answer for the paths below its own. */
function remember(pattern: string, text: string, known: Map<string, string[]>): void {
  if (!text.startsWith('{')) return;
  const answer = JSON.parse(text) as { readonly id?: unknown; readonly data?: unknown };
  const entries: readonly unknown[] = Array.isArray(answer.data) ? answer.data : [answer];
  const ids = entries.flatMap((entry) =>
    typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string' ? [entry.id] : [],
  );
  for (const below of ['/{id}', '/{id}/cancel', '/{id}/request', '/{id}/content', '/{id}/favorite', '/{id}/secret'])
    known.set(pattern + below, [...(known.get(pattern + below) ?? []), ...ids].slice(-50));
}
