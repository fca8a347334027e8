import { allModels } from '../../lib/catalog/models';
import { upstreamFailed } from '../../lib/domain/errors';
import type { ProviderDefinition } from '../../lib/domain/provider';
import type { Call } from '../../lib/domain/call';
import type { Model } from '../../lib/domain/model';
import { createUpstream, readText, type Upstream, type UpstreamAnswer } from '../../lib/providers/kit/http/http';
import { VIDEO_MODEL } from './video-request';

// A video provider that does as little as possible, so that the benchmark measures the gateway around it. Its files are
// behind URLs of its upstream, `servers/video-upstream.ts`, as those of most vendors are.

const HEADERS_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 10_000;
/** The number of models in the performance target of the catalog. */
const LISTED_MODELS = 200;

interface UpstreamJob {
  readonly id: string;
  readonly status: 'in_progress' | 'completed';
}

export const videoProvider: ProviderDefinition = {
  id: 'bench',
  name: 'Bench',
  capabilities: ['video'],
  settings: [
    { name: 'BENCH_VIDEOS_URL', required: true, description: 'The base URL of the video upstream of the benchmark.' },
  ],
  create({ settings, clock, files }) {
    const upstream = createUpstream({ baseUrl: settings.BENCH_VIDEOS_URL ?? '', clock });
    const requestJob = async (method: 'GET' | 'POST', path: string, call: Call, body?: string) => {
      const response = await sendToUpstream(upstream, path, call, { method, ...(body === undefined ? {} : { body }) });
      // Safe: the benchmark's upstream sends exactly this.
      return JSON.parse(await readText(response.body, MAX_RESPONSE_BYTES)) as UpstreamJob;
    };
    // Safe: `start` wrote the receipt and `check` the file, and both have an id.
    const pathOf = (job: unknown) => `/videos/${(job as { id: string }).id}`;
    return {
      id: 'bench',
      video: {
        async start({ order, videoId, submitting }, call) {
          const body = { prompt: order.prompt, reference: videoId };
          await submitting(body);
          const { id } = await requestJob('POST', '/videos', call, JSON.stringify(body));
          return { receipt: { id }, providerJobId: id };
        },
        async check({ receipt }, call) {
          const { id, status } = await requestJob('GET', pathOf(receipt), call);
          return status === 'completed' ? { status, video: { file: { id }, expiresAt: 'kept' } } : { status };
        },
        open: (file, part, call) => files.open(`${settings.BENCH_VIDEOS_URL}${pathOf(file)}/file`, part, call),
      },
      close: () => upstream.close(),
    };
  },
};

async function sendToUpstream(
  upstream: Upstream,
  path: string,
  { signal }: Call,
  request: { method: 'GET' | 'POST'; body?: string },
): Promise<UpstreamAnswer> {
  const response = await upstream.send({ path, headers: {}, headersMs: HEADERS_TIMEOUT_MS, signal, ...request });
  if (response.status === 200) return response;
  response.body.stop();
  throw upstreamFailed({ retry: 'later', started: 'no' }, `The upstream answered ${response.status}.`);
}

/** The product's catalog, a model of `videoProvider`, and copies of models up to the size of the performance target. */
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
  // The catalog does not list deactivated models.
  const isListed = ({ deactivatedAt }: Model) => deactivatedAt === undefined;
  const listed = allModels.filter(isListed);
  for (let copy = 0; models.filter(isListed).length < LISTED_MODELS; copy += 1) {
    // Safe: the catalog is not empty.
    const original = listed[copy % listed.length]!;
    // The number is a prefix, because the end of the id states the kind of model.
    models.push({ ...original, id: `x${copy}-${original.id}`, aliases: [] });
  }
  return models;
}
