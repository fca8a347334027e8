import { z } from 'zod';
import { fieldsOf, type Fields } from '../../../lib/domain/json';
import { digitsOf } from './veo-rules';
import {
  pollFailureOf,
  refusalOf,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// The Interactions API as far as Gemini Omni uses it, for the imitation of the Gemini API. Its errors have a word in
// `code` and no `status`. Beside the shared scenarios it has `processing` (the file is not ready when the interaction is
// completed), `file-failed`, `incomplete`, `error-with-id` and `success-without-id` (contradictory answers), and
// `finishing` (it is too late to cancel).

export const interactionError = (status: number, code: string, message: string, headers = {}): VendorReply => ({
  status,
  headers,
  body: { error: { message, code } },
});

const media = (kind: 'image' | 'video', mime: readonly string[]) =>
  z.strictObject({ type: z.literal(kind), mime_type: z.enum(mime), data: z.base64() });
const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
  media('image', ['image/png', 'image/jpeg', 'image/webp']),
  media('video', ['video/mp4', 'video/webm', 'video/mov']),
]);
const tasks = ['text_to_video', 'image_to_video', 'reference_to_video', 'edit'] as const;
type Task = (typeof tasks)[number];

const body = z
  .strictObject({
    model: z.enum(['gemini-omni-1.2-flash', 'gemini-omni-1.1-flash']),
    input: z.union([z.string().min(1), z.array(part).min(1)]),
    generation_config: z.strictObject({ video_config: z.strictObject({ task: z.enum(tasks) }) }).optional(),
    response_format: z.strictObject({
      type: z.literal('video'),
      aspect_ratio: z.enum(['16:9', '9:16']).optional(),
      resolution: z.enum(['360p', '720p', '1080p', '4k']).optional(),
      duration: z
        .string()
        .regex(/^\d+s$/)
        .optional(),
      delivery: z.enum(['inline', 'uri']).optional(),
    }),
    background: z.boolean().optional(),
    store: z.boolean().optional(),
  })
  .refine(({ model, input, generation_config: config, response_format: { duration, aspect_ratio: ratio } }) => {
    const parts = typeof input === 'string' ? [] : input;
    const count = (type: string) => parts.filter((one) => one.type === type).length;
    const task = config?.video_config.task;
    const seconds = duration === undefined ? 8 : Number.parseInt(duration, 10);
    const longest = model === 'gemini-omni-1.1-flash' || (task === 'image_to_video' && count('image') > 1) ? 10 : 15;
    return (
      (task === undefined || fits[task](count('image'), count('video'))) &&
      seconds >= 3 &&
      seconds <= longest &&
      (task !== 'edit' || (duration === undefined && ratio === undefined))
    );
  });

const fits: Readonly<Record<Task, (images: number, videos: number) => boolean>> = {
  text_to_video: (images, videos) => images === 0 && videos === 0,
  image_to_video: (images, videos) => (images === 1 || images === 2) && videos === 0,
  reference_to_video: (images, videos) => images >= 1 && images <= 6 && videos === 0,
  edit: (images, videos) => images <= 6 && videos === 1,
};

/** The text of the input. */
function promptOf(sent: unknown): string {
  const { input } = fieldsOf(sent);
  if (typeof input === 'string') return input;
  const parts = Array.isArray(input) ? input.map(fieldsOf) : [];
  return String(parts.find(({ type }) => type === 'text')?.text);
}

export interface OmniImitation {
  submit(request: VendorRequest, tools: VendorTools): VendorReply;
  /** The job of an interaction at this path. */
  find(path: string): VendorJob | undefined;
  poll(job: VendorJob, tools: VendorTools): VendorReply;
  cancel(job: VendorJob): VendorReply;
  /** The facts of a generated file at this path. */
  file(path: string): VendorReply | undefined;
}

/** `addFile` makes the file of a job downloadable. */
export function imitateOmni(addFile: (id: string, job: VendorJob) => void): OmniImitation {
  const jobs = new Map<string, VendorJob>();
  /** How often the facts of a file were asked for. */
  const files = new Map<string, { readonly job: VendorJob; asked: number }>();

  const interaction = (job: VendorJob, rest: Fields): VendorReply => ({
    status: 200,
    body: { id: idOf(job), object: 'interaction', model: fieldsOf(job.body).model, ...rest },
  });
  const output = (content: readonly Fields[], more: Fields = {}) => ({
    steps: [
      { type: 'thought', signature: 'c2lnbmF0dXJl' },
      { type: 'model_output', content, ...more },
    ],
  });
  const usage = { usage: { total_input_tokens: 12, total_output_tokens: 46_336, total_tokens: 46_348 } };

  return {
    submit({ json }, tools) {
      const parsed = body.safeParse(json);
      if (!parsed.success) return interactionError(400, 'invalid_request', 'Request contains an invalid argument.');
      const prompt = promptOf(json);
      const refused = refusalOf(prompt, refusals, tools);
      if (refused) return refused;
      const job = tools.createJob(prompt, json);
      jobs.set(`interactions/${idOf(job)}`, job);
      const id = fileId(job);
      files.set(id, { job, asked: 0 });
      addFile(id, job);
      switch (job.scenario?.name) {
        case 'submit-500':
          return interactionError(500, 'internal', 'An internal error has occurred.');
        case 'success-without-id':
          return { status: 200, body: { object: 'interaction', status: 'in_progress' } };
        case 'error-with-id':
          return { status: 500, body: { id: idOf(job), error: { message: 'Internal error.', code: 'internal' } } };
        default:
          return interaction(job, { status: 'in_progress' });
      }
    },

    find: (path) => jobs.get(path),

    poll(job, tools) {
      const failure = pollFailureOf(job, pollErrors);
      if (failure) return failure;
      switch (tools.poll(job)) {
        case 'queued':
          return interaction(job, { status: 'queued' });
        case 'running':
          return interaction(job, { status: 'in_progress' });
        case 'cancelled':
          return interaction(job, { status: 'cancelled' });
        case 'weird':
          return interaction(job, { status: 'requires_reflection' });
        case 'failed':
          return interaction(job, { status: 'failed', errors: [{ code: 'internal', message: 'Generation failed.' }] });
        case 'moderated': {
          const message = 'The video was blocked by the safety filter.';
          return interaction(job, { status: 'failed', ...output([], { error: { code: 3, message } }) });
        }
        case 'no-url':
          return interaction(job, { status: 'completed', ...output([{ type: 'text', text: 'I cannot do that.' }]) });
        case 'completed': {
          if (job.scenario?.name === 'incomplete') return interaction(job, { status: 'incomplete', ...usage });
          const uri = `https://generativelanguage.googleapis.com/v1beta/files/${fileId(job)}`;
          const video = { type: 'video', mime_type: 'video/mp4', uri };
          return interaction(job, { status: 'completed', ...output([video]), ...usage });
        }
      }
    },

    cancel(job) {
      if (job.scenario?.name === 'finishing' || (job.polls > 2 && job.scenario?.name !== 'hang'))
        return interactionError(400, 'failed_precondition', 'Only running interactions can be cancelled.');
      job.cancelled = true;
      return interaction(job, { status: 'cancelled' });
    },

    file(path) {
      const [, id = ''] = /^files\/([a-z0-9]+)$/.exec(path) ?? [];
      const file = files.get(id);
      if (!file) return undefined;
      file.asked += 1;
      const scenario = file.job.scenario?.name;
      const early = scenario === 'processing' && file.asked === 1 ? 'PROCESSING' : 'ACTIVE';
      const state = scenario === 'file-failed' ? 'FAILED' : early;
      return { status: 200, body: { name: `files/${id}`, mimeType: 'video/mp4', state, source: 'GENERATED' } };
    },
  };
}

const idOf = (job: VendorJob) => `v1_${digitsOf('interaction', job).slice(0, 24)}`;
const fileId = (job: VendorJob) => digitsOf('omni file', job).slice(0, 12);

const tooMany = (seconds: string) =>
  interactionError(429, 'too_many_requests', 'You exceeded your current quota.', { 'retry-after': seconds });
const noKey = interactionError(400, 'invalid_request', 'API key not valid. Please pass a valid API key.');

const refusals: Readonly<Record<string, VendorReply>> = {
  'moderated-input': interactionError(400, 'invalid_request', 'The prompt was blocked by the safety filter.'),
  invalid: interactionError(400, 'invalid_request', 'The duration is not supported by this model.'),
  auth: noKey,
  balance: interactionError(402, 'insufficient_funds', 'Your prepayment credits are depleted.'),
  forbidden: interactionError(403, 'permission_denied', 'The caller does not have permission.'),
  'unknown-model': interactionError(404, 'not_found', 'The model was not found.'),
  unavailable: interactionError(503, 'unavailable', 'The service is currently unavailable.'),
  ratelimit: tooMany('3'),
};

const pollErrors: Readonly<Record<string, VendorReply>> = {
  poll401: interactionError(401, 'unauthenticated', 'Request had invalid authentication credentials.'),
  poll404: interactionError(404, 'not_found', 'Interaction not found.'),
  poll429: tooMany('7'),
  poll500: interactionError(500, 'internal', 'An internal error has occurred.'),
};

/** An error of the rest of the Gemini API in the words of this one. */
export function asInteractionError({ status, body: sent }: VendorReply): VendorReply {
  const { message, status: word } = fieldsOf(fieldsOf(sent).error);
  const code = word === 'INVALID_ARGUMENT' ? 'invalid_request' : String(word).toLowerCase();
  return interactionError(status, code, String(message));
}
