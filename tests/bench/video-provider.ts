import { allModels } from '../../lib/catalog/models';
import { upstreamFailed } from '../../lib/domain/errors';
import type { ProviderDefinition } from '../../lib/domain/provider';
import type { Call } from '../../lib/domain/call';
import type { Model } from '../../lib/domain/model';
import {
  createUpstream,
  readableOf,
  readText,
  type Upstream,
  type UpstreamAnswer,
} from '../../lib/providers/kit/http/http';
import { VIDEO_MODEL } from './video-request';

// A video provider that does as little as possible, so that the benchmark measures the gateway around it. Its vendor is
// `servers/video-upstream.ts`.

const HEADERS_MS = 10_000;
const MAX_BYTES = 10_000;
/** The number of models in the performance target of the catalog. */
const ENTRIES = 200;

export const videoProvider: ProviderDefinition = {
  id: 'bench',
  name: 'Bench',
  capabilities: ['video'],
  settings: [
    { name: 'BENCH_VIDEOS_URL', required: true, description: 'The base URL of the video upstream of the benchmark.' },
  ],
  create({ settings, clock }) {
    const upstream = createUpstream({ baseUrl: settings.BENCH_VIDEOS_URL ?? '', clock });
    const ask = async (method: 'GET' | 'POST', path: string, call: Call, body?: string) => {
      const answer = await send(upstream, path, call, { method, ...(body === undefined ? {} : { body }) });
      return JSON.parse(await readText(answer.body, MAX_BYTES)) as { id: string; status: 'in_progress' | 'completed' }; // Safe: our own upstream says this and nothing else.
    };
    // Safe, here and below: a receipt and a note of a file are what `start` and `check` wrote.
    const pathOf = (note: unknown) => `/videos/${(note as { id: string }).id}`;
    return {
      id: 'bench',
      video: {
        async start({ order, videoId }, call) {
          const { id } = await ask(
            'POST',
            '/videos',
            call,
            JSON.stringify({ prompt: order.prompt, reference: videoId }),
          );
          return { receipt: { id }, providerJobId: id };
        },
        async check(receipt, call) {
          const { id, status } = await ask('GET', pathOf(receipt), call);
          return status === 'completed' ? { status, video: { file: { id } } } : { status };
        },
        async open(file, range, call) {
          const asked = range ? { range: `bytes=${range.start}-${range.end ?? ''}` } : {};
          const { headers, body } = await send(upstream, `${pathOf(file)}/file`, call, {
            method: 'GET',
            headers: asked,
          });
          const length = Number(headers['content-length']);
          return { status: 200, length, total: length, start: 0, body: readableOf(body) };
        },
      },
      close: () => upstream.close(),
    };
  },
};

async function send(
  upstream: Upstream,
  path: string,
  { signal }: Call,
  request: { method: 'GET' | 'POST'; headers?: Record<string, string>; body?: string },
): Promise<UpstreamAnswer> {
  const answer = await upstream.send({ path, headers: {}, headersMs: HEADERS_MS, signal, ...request });
  if (answer.status === 200) return answer;
  answer.body.stop();
  throw upstreamFailed({ retry: 'later', started: 'no' }, `The upstream answered ${answer.status}.`);
}

/** The product's catalog and a model of `videoProvider`, with copies of entries up to the size of the performance target. */
export function benchModels(): Model[] {
  const sandbox = allModels.find((model) => model.id === 'sandbox-t2v');
  if (sandbox?.capability !== 'video') throw new Error('The catalog has no sandbox-t2v to copy.');
  const model: Model = {
    ...sandbox,
    id: VIDEO_MODEL,
    aliases: [],
    bindings: sandbox.bindings.map((binding) => ({ ...binding, providerId: videoProvider.id })),
  };
  const models: Model[] = [...allModels, model];
  // Retired ones are not listed.
  const lasting = allModels.filter(({ deactivatedAt }) => deactivatedAt === undefined);
  for (let copy = 0; models.filter(({ deactivatedAt }) => deactivatedAt === undefined).length < ENTRIES; copy += 1) {
    // Safe: the catalog is not empty. The number is a prefix, because the end of the id says what kind of model it is.
    const like = lasting[copy % lasting.length]!;
    models.push({ ...like, id: `x${copy}-${like.id}`, aliases: [] });
  }
  return models;
}
