import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

// What all fakes of video vendors share: a server for the API, a second origin for the results that fails any request
// with credentials, a table of jobs whose progress depends on the number of polls, and the scenarios. A vendor's fake
// adds its own paths, its strict validation, its ids and its error bodies. A scenario is chosen by a marker in the prompt,
// such as `[[ratelimit:2]]`; see `Scenario`.

/** A real MP4 file. */
export const RESULT = readFileSync(path.join(__dirname, '../../providers/sandbox/fixtures/high-profile-2s.mp4'));

export interface VendorRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** Undefined when it is not JSON. */
  readonly json: unknown;
}

/** The headers with which a vendor signs its call to a URL. */
export type SignCallback = (call: {
  /** The body of the submit that stated the URL. */
  readonly order: unknown;
  readonly url: string;
  readonly body: string;
  readonly now: Date;
}) => Readonly<Record<string, string>>;

export interface VendorReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
  /** Closes the connection instead of an answer. */
  readonly drop?: true;
  /** Never answers. */
  readonly hang?: true;
  /** Spoils the answer, which would have been a good one. */
  readonly spoil?: Spoiling;
}

/**
 * `cut`: the connection closes in the middle of the body · `stall`: the body stops in the middle · `bad-json`: the body
 * ends too early · `gzip`: it is compressed although that was not requested, and 16 MiB long · `long`: it is followed by
 * 2 MiB of spaces.
 */
const spoilings = ['cut', 'stall', 'bad-json', 'gzip', 'long'] as const;
type Spoiling = (typeof spoilings)[number];

/**
 * Scenarios in the vendor's words: of a submit `moderated-input`, `balance`, `auth`, `invalid`, `unavailable`,
 * `ratelimit:N` and `submit-500` (the job may exist); after the acceptance `moderated-output`, `fail`, `hang`, `nourl`, `weird` (two polls
 * with an unknown word); errors of the first N polls: `poll401:N`, `poll404:N`, `poll429:N` (with a
 * pause of seven seconds), `poll500:N`; and of its file `expired`, `gone`, `cdn-html`, `cdn-500`, `cdn-reset`, `cdn-short`,
 * `cdn-ignores-ranges`, `cdn-redirects`, `cdn-redirects-private`.
 *
 * Every fake also has, without code of its own: submits that create the job and are answered otherwise (`drop`,
 * `slow-submit`, `submit-html`, `submit-page`, `submit-error-200`, `submit-empty`, `submit-redirect`), the same for the first N polls (`poll503:N`,
 * `poll-html:N`, `poll-error-200:N`, `poll-drop:N`, `poll-hang:N`), and `X-submit` and `X-poll:N` for each X of `Spoiling`.
 */
export interface Scenario {
  readonly name: string;
  /** The number after the colon; 1 without it. */
  readonly count: number;
}

export interface VendorJob {
  readonly number: number;
  readonly scenario: Scenario | undefined;
  /** The parsed body of its submit. */
  readonly body: unknown;
  polls: number;
  cancelled: boolean;
  readonly createdAt: Date;
}

/** What a poll finds, in words that a vendor's fake translates. */
export type JobState = 'queued' | 'running' | 'weird' | 'failed' | 'moderated' | 'cancelled' | 'completed' | 'no-url';

export interface FakeVideoVendor {
  readonly baseUrl: string;
  /** The origin of the results. */
  readonly cdnUrl: string;
  readonly requests: VendorRequest[];
  /** The requests to the origin of the results. */
  readonly downloads: VendorRequest[];
  readonly jobs: VendorJob[];
  /** From now on, the links to results that it has given are over (403); a link that is asked for again is a new one. */
  expireLinks(): void;
  /** Changes its answers from now on; without a function it answers as it did. */
  alterAnswers(alter?: AlterAnswer): void;
  /** From now on it accepts connections and never answers. */
  stall(): void;
  close(): Promise<void>;
}

/** Returns what the vendor sends in place of its answer to this request. */
export type AlterAnswer = (reply: VendorReply, request: VendorRequest) => VendorReply;

/** The tools with which a vendor's fake answers a request. */
export interface VendorTools {
  /** Stores a job, unless its scenario refuses it. `prompt` names the scenario. */
  createJob(prompt: string, body: unknown): VendorJob;
  /** How often the scenario of this prompt was asked for, this time included. */
  countAttempt(prompt: string): number;
  /** Counts a poll and says what it finds. Undefined: the scenario answers this poll in its own way. */
  poll(job: VendorJob): JobState;
  /** The URL of a job's result. */
  resultUrl(job: VendorJob): string;
  readonly cdnUrl: string;
  readonly baseUrl: string;
}

export type AnswerVendor = (request: VendorRequest, tools: VendorTools) => VendorReply | Promise<VendorReply>;

const MARKER = /\[\[([a-z0-9-]+)(?::(\d+))?\]\]/;
/** No vendor's key may reach the origin of the results. */
const CREDENTIALS = [
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'cookie',
  'x-key',
  'hf-api-key',
  'hf-secret',
];

export function scenarioOf(prompt: string): Scenario | undefined {
  const [, name, count] = MARKER.exec(prompt) ?? [];
  return name === undefined ? undefined : { name, count: Number(count ?? 1) };
}

/** The code with which a vendor refuses each scenario; `code:N` names its code itself. */
export type RefusalCodes = Readonly<
  Record<'moderated-input' | 'balance' | 'auth' | 'invalid' | 'unavailable' | 'ratelimit', number>
>;

/** The code with which a submit of this prompt is refused; undefined if it is not. `ratelimit:N` refuses N times. */
export function refusalCodeOf(prompt: string, codes: RefusalCodes, tools: VendorTools): number | undefined {
  const scenario = scenarioOf(prompt);
  return scenario?.name === 'code' ? scenario.count : refusalOf(prompt, codes, tools);
}

/** What a submit of this prompt is refused with, by its scenario; undefined if it is not. `ratelimit:N` refuses N times. */
export function refusalOf<Refusal>(
  prompt: string,
  refusals: Readonly<Record<string, Refusal>>,
  tools: VendorTools,
): Refusal | undefined {
  const scenario = scenarioOf(prompt);
  if (!scenario || !Object.hasOwn(refusals, scenario.name)) return undefined;
  if (scenario.name === 'ratelimit' && tools.countAttempt(prompt) > scenario.count) return undefined;
  return refusals[scenario.name];
}

/** What one of the first N polls of a job with a scenario such as `poll500:N` fails with, by its scenario. Counts the poll. */
export function pollFailureOf(
  job: VendorJob,
  failures: Readonly<Record<string, VendorReply>>,
): VendorReply | undefined {
  const { scenario } = job;
  if (!scenario || !Object.hasOwn(failures, scenario.name) || job.polls >= scenario.count) return undefined;
  job.polls += 1;
  return failures[scenario.name];
}

export async function startFakeVideoVendor(answer: AnswerVendor): Promise<FakeVideoVendor> {
  const requests: VendorRequest[] = [];
  const downloads: VendorRequest[] = [];
  const jobs: VendorJob[] = [];
  const attempts = new Map<string, number>();
  const unaltered: AlterAnswer = (answered) => answered;
  let alter = unaltered;
  let isStalled = false;
  /** Of the links that are valid; the number is at the beginning of their name, except for the first. */
  let generation = 0;

  const api = createServer((incoming, response) => {
    void receive(incoming).then(async (request) => {
      requests.push(request);
      if (isStalled) return;
      let spoil = spoilingOf('submit', scenarioOf(request.raw.toString('utf8')));
      let failure: VendorReply | undefined;
      const answered = await answer(request, {
        ...tools,
        createJob(prompt, body) {
          failure = submitFailures(cdnUrl)[scenarioOf(prompt)?.name ?? ''];
          return tools.createJob(prompt, body);
        },
        poll(job) {
          if (job.polls < (job.scenario?.count ?? 0)) {
            spoil = spoilingOf('poll', job.scenario);
            failure = pollFailures[job.scenario?.name ?? ''];
          }
          return stateOf(job);
        },
      });
      reply(response, failure ?? alter({ ...answered, ...(spoil && { spoil }) }, request));
    });
  });
  // Longer than a client on a busy machine keeps a connection, so that no test meets one that is just being closed.
  api.keepAliveTimeout = 300_000;
  const cdn = createServer((incoming, response) => {
    void receive(incoming).then((request) => {
      downloads.push(request);
      if (isStalled) return;
      const [, older = '0'] = /\/(?:(\d+)-)?[^/]*$/.exec(request.path) ?? [];
      if (Number(older) < generation) response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>');
      else serveResult(request, response, cdnUrl);
    });
  });
  const [baseUrl, cdnUrl] = await Promise.all([listen(api), listen(cdn)]);

  const tools: VendorTools = {
    baseUrl,
    cdnUrl,
    createJob(prompt, body) {
      const job: VendorJob = {
        number: jobs.length + 1,
        scenario: scenarioOf(prompt),
        body,
        polls: 0,
        cancelled: false,
        createdAt: new Date(),
      };
      jobs.push(job);
      return job;
    },
    countAttempt(prompt) {
      const count = (attempts.get(prompt) ?? 0) + 1;
      attempts.set(prompt, count);
      return count;
    },
    poll: (job) => stateOf(job),
    resultUrl: ({ number, scenario }) =>
      `${cdnUrl}/results/${scenario?.name ?? 'good'}/${generation === 0 ? '' : `${generation}-`}${number}.mp4`,
  };

  return {
    baseUrl,
    cdnUrl,
    requests,
    downloads,
    jobs,
    expireLinks: () => void (generation += 1),
    alterAnswers: (next = unaltered) => void (alter = next),
    stall: () => void (isStalled = true),
    close: async () => {
      await Promise.all([close(api), close(cdn)]);
    },
  };
}

/** An error with a successful status, and in the words of no vendor. */
const strangeError = { error: { type: 'internal', reason: 'Something went wrong.' } };

/** What a client gets in place of the answer to a submit that created a job. */
const submitFailures = (cdnUrl: string): Readonly<Record<string, VendorReply>> => ({
  drop: { status: 200, drop: true },
  'slow-submit': { status: 200, hang: true },
  'submit-html': { status: 502, body: '<html><body>Bad gateway</body></html>' },
  'submit-page': { status: 200, body: '<html><body>Just a moment…</body></html>' },
  'submit-error-200': { status: 200, body: strangeError },
  'submit-empty': { status: 200 },
  'submit-redirect': { status: 307, headers: { location: `${cdnUrl}/elsewhere` } },
});

/** What a client gets in place of the answer to a poll. */
const pollFailures: Readonly<Record<string, VendorReply>> = {
  poll503: { status: 503, body: '<html><body>Service unavailable</body></html>' },
  'poll-html': { status: 200, body: '<html><body>Just a moment…</body></html>' },
  'poll-error-200': { status: 200, body: strangeError },
  'poll-drop': { status: 200, drop: true },
  'poll-hang': { status: 200, hang: true },
};

function spoilingOf(step: 'submit' | 'poll', scenario: Scenario | undefined): Spoiling | undefined {
  return spoilings.find((spoiling) => scenario?.name === `${spoiling}-${step}`);
}

/** The first poll finds the job in the queue, the second at work, the third completed. */
function stateOf(job: VendorJob): JobState {
  job.polls += 1;
  const { scenario } = job;
  if (job.cancelled) return 'cancelled';
  if (job.polls === 1) return 'queued';
  if (scenario?.name === 'hang' || job.polls === 2) return 'running';
  switch (scenario?.name) {
    case 'weird':
      return job.polls <= 4 ? 'weird' : 'completed';
    case 'fail':
      return 'failed';
    case 'moderated-output':
      return 'moderated';
    case 'nourl':
      return 'no-url';
    default:
      return 'completed';
  }
}

async function receive(incoming: IncomingMessage): Promise<VendorRequest> {
  const chunks: Buffer[] = [];
  // A client that disconnects is no failure of the fake.
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    // What has arrived is recorded.
  }
  const raw = Buffer.concat(chunks);
  const url = new URL(incoming.url ?? '/', 'http://fake');
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    raw,
    json: parseJson(raw),
  };
}

function parseJson(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, { status, headers, body, drop, hang, spoil }: VendorReply): void {
  if (hang) return;
  if (drop) {
    response.socket?.destroy();
    return;
  }
  const isText = typeof body === 'string' || body === undefined;
  const text = isText ? (body ?? '') : JSON.stringify(body);
  const facts = { 'content-type': isText ? 'text/html' : 'application/json', ...headers };
  switch (spoil) {
    case 'cut':
      response.writeHead(status, { ...facts, 'content-length': text.length });
      response.write(text.slice(0, text.length >> 1), () => response.socket?.destroy());
      return;
    case 'stall':
      response.writeHead(status, { ...facts, 'content-length': text.length });
      response.write(text.slice(0, text.length >> 1));
      return;
    case 'bad-json':
      return void response.writeHead(status, facts).end(text.slice(0, -1));
    case 'gzip':
      response.writeHead(status, { ...facts, 'content-encoding': 'gzip' });
      return void response.end(gzipSync(text.padEnd(16 * 1024 * 1024)));
    case 'long':
      return void response.writeHead(status, facts).end(text.padEnd(2 * 1024 * 1024));
    case undefined:
      return void response.writeHead(status, facts).end(text);
  }
}

/** The scenario is the folder of the path, so that a result behaves as its job was ordered. */
function serveResult(request: VendorRequest, response: ServerResponse, cdnUrl: string): void {
  const leaked = CREDENTIALS.find((name) => request.headers[name] !== undefined);
  if (leaked !== undefined || /[?&](key|token)=/.test(`?${request.query}`)) {
    response.writeHead(401, { 'content-type': 'text/plain' }).end('Credentials have no place here.');
    return;
  }
  const [, , scenario = 'good', name = ''] = request.path.split('/');
  switch (scenario) {
    case 'expired':
      return void response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>');
    case 'gone':
      return void response.writeHead(404, { 'content-type': 'application/xml' }).end('<Error/>');
    case 'cdn-html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'.padEnd(4_096));
    case 'cdn-500':
      return void response.writeHead(500).end();
    case 'cdn-redirects':
      return void response.writeHead(302, { location: `${cdnUrl}/results/good/${name}` }).end();
    case 'cdn-redirects-private':
      return void response.writeHead(302, { location: `http://10.0.0.1/${name}` }).end();
    case 'cdn-reset': {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': RESULT.length });
      response.write(RESULT.subarray(0, RESULT.length >> 1), () => response.socket?.resetAndDestroy());
      return;
    }
    case 'cdn-short':
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': RESULT.length + 1_000 });
      response.write(RESULT, () => response.socket?.end());
      return;
    default:
      return serveRange(request, response, scenario === 'cdn-ignores-ranges');
  }
}

function serveRange({ method, headers }: VendorRequest, response: ServerResponse, ignoresRanges: boolean): void {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const facts = { 'content-type': 'application/octet-stream', 'accept-ranges': 'bytes' };
  const send = (status: number, part: Buffer, more: Record<string, string> = {}) =>
    response
      .writeHead(status, { ...facts, 'content-length': part.length, ...more })
      .end(method === 'HEAD' ? undefined : part);
  if (ignoresRanges || (from === '' && to === '')) return void send(200, RESULT);
  const start = from === '' ? Math.max(0, RESULT.length - Number(to)) : Number(from);
  const end = from === '' || to === '' ? RESULT.length - 1 : Math.min(Number(to), RESULT.length - 1);
  if (start >= RESULT.length) return void send(416, Buffer.alloc(0), { 'content-range': `bytes */${RESULT.length}` });
  send(206, RESULT.subarray(start, end + 1), { 'content-range': `bytes ${start}-${end}/${RESULT.length}` });
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Safe: it listens on a port.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
