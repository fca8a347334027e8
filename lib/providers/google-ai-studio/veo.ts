import { fieldsOf } from '../../domain/json';
import type { VideoProvider } from '../../domain/video';
import { createVeo, listOf } from '../dialects/veo/video';
import { askJson } from '../kit/http/ask-json';
import { UNKNOWN_ID, textOfNote } from '../kit/video/note';
import type { GeminiDeps, ResultFiles } from './result-file';

// Veo on the Gemini API.

const POLL_TIMEOUT_MS = 10_000;

export function createGeminiVeo(
  { upstream, credentials, clock, media }: GeminiDeps,
  { open, finish }: ResultFiles,
): VideoProvider {
  return createVeo(
    {
      // The quota of a paid account. An account with a lower one is answered with 429, and its videos wait.
      limits: { startsPerMinute: 50 },
      unknownOperation: `models/veo-3.1-generate-preview/operations/${UNKNOWN_ID}`,
      // The most permissive value that the API accepts; with images it accepts only `allow_adult`.
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
      finish: (file, running, call) => finish(textOfNote(file, 'path'), running, call),
      open,
    },
    { clock, media },
  );
}
