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
import { FILM_MODEL } from './film-request';

// A provider of videos as thin as one can be, so that what is measured is the house around it: it speaks to
// `servers/film-upstream.ts` as a real one speaks to its vendor.

const HEADERS_MS = 10_000;
const MAX_BYTES = 10_000;
/** So many models does the target for the catalog speak of. */
const ENTRIES = 200;

export const films: ProviderDefinition = {
  id: 'bench',
  name: 'Bench',
  capabilities: ['video'],
  settings: [{ name: 'BENCH_FILMS_URL', required: true, description: 'Where the films of the benchmark come from.' }],
  create({ settings, clock }) {
    const upstream = createUpstream({ baseUrl: settings.BENCH_FILMS_URL ?? '', clock });
    const ask = async (method: 'GET' | 'POST', path: string, call: Call, body?: string) => {
      const answer = await send(upstream, path, call, { method, ...(body === undefined ? {} : { body }) });
      return JSON.parse(await readText(answer.body, MAX_BYTES)) as { id: string; status: 'in_progress' | 'completed' }; // Safe: our own upstream says this and nothing else.
    };
    // Safe, here and below: a receipt and a note of a file are what `start` and `check` wrote.
    const pathOf = (note: unknown) => `/films/${(note as { id: string }).id}`;
    return {
      id: 'bench',
      video: {
        async start({ order, videoId }, call) {
          const { id } = await ask(
            'POST',
            '/films',
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
  throw upstreamFailed({ retry: 'later', started: 'no' }, `The films answered ${answer.status}.`);
}

/** The catalog of the product and a model of `films`, filled up with entries like those to the size that the target speaks of. */
export function benchModels(): Model[] {
  const sandbox = allModels.find((model) => model.id === 'sandbox-t2v');
  if (sandbox?.capability !== 'video') throw new Error('The catalog has no sandbox-t2v to take the film model after.');
  const film: Model = {
    ...sandbox,
    id: FILM_MODEL,
    aliases: [],
    bindings: sandbox.bindings.map((binding) => ({ ...binding, providerId: films.id })),
  };
  const models: Model[] = [...allModels, film];
  // Retired ones are not listed.
  const lasting = allModels.filter(({ deactivatedAt }) => deactivatedAt === undefined);
  for (let copy = 0; models.filter(({ deactivatedAt }) => deactivatedAt === undefined).length < ENTRIES; copy += 1) {
    // Safe: the catalog is not empty. What is new in the id stands first, because its end says what kind it is.
    const like = lasting[copy % lasting.length]!;
    models.push({ ...like, id: `x${copy}-${like.id}`, aliases: [] });
  }
  return models;
}
