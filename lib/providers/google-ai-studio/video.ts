import type { Clock } from '../../domain/clock';
import { fieldsOf, type Json } from '../../domain/json';
import type { ProviderDeps } from '../../domain/provider';
import type { VideoProvider } from '../../domain/video';
import { createVeo, listOf } from '../dialects/veo/video';
import { askJson } from '../kit/http/ask-json';
import type { Upstream } from '../kit/http/http';
import { openKeyedFile } from '../kit/video/keyed-file';
import { UNKNOWN_ID } from '../kit/video/note';
import { factsOfRemote } from '../kit/video/probe-remote';

// Veo on the Gemini API. The file of a result needs the key and leads to another host, which must not get it.

const POLL_TIMEOUT_MS = 10_000;
/** ai.google.dev: videos are kept for two days. The acceptance precedes the file, and an hour is left as a reserve. */
const FILE_LIFE_MS = 47 * 60 * 60_000;

export interface GeminiVeoDeps extends Pick<ProviderDeps, 'media' | 'files' | 'probe'> {
  /** At the base URL with the path of the API's version. */
  readonly upstream: Upstream;
  readonly key: string;
  readonly clock: Clock;
}

export function createGeminiVeo({ upstream, key, clock, media, files, probe }: GeminiVeoDeps): VideoProvider {
  const credentials = { 'x-goog-api-key': key };
  const open: VideoProvider['open'] = (file, part, call) =>
    openKeyedFile(upstream, { path: pathOf(file), headers: credentials }, part, { files, clock }, call);

  return createVeo(
    {
      // The quota of a paid account. An account with a lower one is answered with 429, and its videos wait.
      limits: { startsPerMinute: 50 },
      unknownOperation: `models/veo-3.1-generate-preview/operations/${UNKNOWN_ID}`,
      // Each is the widest value that the API accepts; with images it accepts only `allow_adult`.
      parametersOf: ({ media: { length } }) => ({ personGeneration: length === 0 ? 'allow_all' : 'allow_adult' }),
      authorize: async () => credentials,
      submit: ({ path, ...request }, { signal }) =>
        askJson(upstream, { ...request, path: `/models/${path}`, signal }, clock),
      poll: (operation, { signal }) =>
        askJson(
          upstream,
          { method: 'GET', path: `/${operation}`, headers: credentials, headersMs: POLL_TIMEOUT_MS, signal },
          clock,
        ),
      filesIn: ({ generateVideoResponse }) =>
        listOf(fieldsOf(generateVideoResponse).generatedSamples).map((sample) => {
          const { uri } = fieldsOf(fieldsOf(sample).video);
          return typeof uri === 'string' ? { path: upstream.pathOf(uri) } : undefined;
        }),
      finish: async (file, { startedAt }, call) => ({
        file,
        expiresAt: new Date(startedAt.getTime() + FILE_LIFE_MS),
        ...(await factsOfRemote((part, probing) => open(file, part, probing), { probe, clock }, call)),
      }),
      open,
    },
    { clock, media },
  );
}

/** Of our own reference of a file. */
function pathOf(file: Json): string {
  const { path } = fieldsOf(file);
  if (typeof path !== 'string') throw new Error('This is no file of this provider.');
  return path;
}
