import { z } from 'zod';
import {
  RESULT,
  refusalCodeOf,
  scenarioOf,
  startFakeVideoVendor,
  type FakeVideoVendor,
  type JobState,
  type RefusalCodes,
  type VendorJob,
  type VendorReply,
  type VendorRequest,
  type VendorTools,
} from './fake-video-vendor';

// The video API of MiniMax as its reference describes it, in both versions. The first one answers always with the status
// 200. Beside the scenarios of every fake it has `code:N` (refused with that code), `status:N` (the second version:
// refused with that status and no code), `error-with-id` and `success-without-id` (contradictory answers), `numeric-id`,
// `expires` (the second version), `no-link` (the first version: a file without a URL) and `renewed` (the first link
// of a result is over, and the next one works).

export const MINIMAX_KEY = 'sk-api-minimax-0123456789abcdef';

const image = z.union([z.url({ protocol: /^https$/ }), z.string().regex(/^data:image\/(png|jpeg|webp);base64,/)]);
const video = z.union([z.url({ protocol: /^https$/ }), z.string().regex(/^data:video\/mp4;base64,/)]);

/** Only S2V-01 takes a subject, and then has neither a length nor a resolution. */
const subjectBody = z.strictObject({
  model: z.literal('S2V-01'),
  prompt: z.string().max(2_000),
  subject_reference: z
    .array(z.strictObject({ type: z.literal('character'), image: z.array(image).length(1) }))
    .length(1),
  prompt_optimizer: z.boolean().default(true),
  aigc_watermark: z.boolean().default(false),
  callback_url: z.url().optional(),
});
/** The other first models, which are made with one length and one resolution. */
const firstBody = z
  .strictObject({
    model: z.enum(['T2V-01', 'T2V-01-Director', 'I2V-01', 'I2V-01-Director', 'I2V-01-live']),
    prompt: z.string().max(2_000),
    first_frame_image: image.optional(),
    prompt_optimizer: z.boolean().default(true),
    aigc_watermark: z.boolean().default(false),
    callback_url: z.url().optional(),
  })
  .refine(({ model, first_frame_image: first }) => model.startsWith('I2V') === (first !== undefined));
const hailuoBody = z
  .strictObject({
    model: z.enum(['MiniMax-Hailuo-2.3', 'MiniMax-Hailuo-2.3-Fast', 'MiniMax-Hailuo-02']),
    prompt: z.string().max(2_000),
    first_frame_image: image.optional(),
    last_frame_image: image.optional(),
    duration: z.literal([6, 10]).default(6),
    resolution: z.enum(['512P', '768P', '1080P']).default('768P'),
    prompt_optimizer: z.boolean().default(true),
    fast_pretreatment: z.boolean().default(false),
    aigc_watermark: z.boolean().default(false),
    callback_url: z.url().optional(),
  })
  .refine(
    ({ model, first_frame_image: first, last_frame_image: last, duration, resolution }) =>
      (resolution !== '1080P' || duration === 6) &&
      (resolution !== '512P' || (model === 'MiniMax-Hailuo-02' && first !== undefined && last === undefined)) &&
      (model !== 'MiniMax-Hailuo-2.3-Fast' || first !== undefined) &&
      (last === undefined || (model === 'MiniMax-Hailuo-02' && first !== undefined)),
  );
const v1Body = z.union([hailuoBody, firstBody, subjectBody]);

const part = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(7_000) }),
  z.strictObject({
    type: z.literal('image_url'),
    role: z.enum(['first_frame', 'last_frame', 'reference_image']),
    image_url: z.strictObject({ url: image }),
  }),
  z.strictObject({
    type: z.literal('video_url'),
    role: z.literal('reference_video'),
    video_url: z.strictObject({ url: video }),
  }),
  z.strictObject({
    type: z.literal('audio_url'),
    role: z.literal('reference_audio'),
    audio_url: z.strictObject({ url: z.url({ protocol: /^https$/ }) }),
  }),
]);
const shared = {
  content: z.array(part),
  ratio: z.enum(['adaptive', '16:9', '9:16', '1:1', '4:3', '3:4', '21:9']).optional(),
  aigc_watermark: z.boolean().optional(),
  callback_url: z.url().optional(),
};
const v2Body = z
  .discriminatedUnion('model', [
    z.strictObject({
      ...shared,
      model: z.literal('MiniMax-H3'),
      resolution: z.enum(['768P', '2K']).default('2K'),
      duration: z.int().min(4).max(15).default(5),
    }),
    z.strictObject({
      ...shared,
      model: z.literal('MiniMax-H3-Max'),
      resolution: z.enum(['480P', '768P']).default('768P'),
      duration: z.int().min(5).max(15).default(5),
      extra: z.strictObject({ prompt_expansion_mode: z.enum(['disabled', 'balanced', 'quality']) }).optional(),
    }),
  ])
  .refine(({ model, content, ratio }) => {
    const count = (name: string) => content.filter((one) => ('role' in one ? one.role : one.type) === name).length;
    const frames = count('first_frame') + count('last_frame');
    const references = count('reference_image') + count('reference_video');
    return (
      count('text') === 1 &&
      count('first_frame') <= 1 &&
      count('last_frame') <= count('first_frame') &&
      (frames === 0 || references === 0) &&
      count('reference_image') <= 9 &&
      count('reference_video') <= 3 &&
      (references === 0 || model === 'MiniMax-H3') &&
      count('reference_audio') <= (references === 0 ? 0 : 3) &&
      (frames === 0 || ratio === undefined) &&
      (content.length > 1 || (ratio !== undefined && ratio !== 'adaptive'))
    );
  });

interface Task {
  readonly job: VendorJob;
  readonly version: 'v1' | 'v2';
  /** How many links to its result were given. */
  links: number;
}

const FIRST_TASK_ID = 106_916_112_212_000n;
const FIRST_FILE_ID = 205_258_526_306_000n;

export async function startFakeMinimax(): Promise<FakeVideoVendor> {
  const tasks = new Map<string, Task>();

  return startFakeVideoVendor((request, tools) => {
    const { method, path, query } = request;
    const version = path.startsWith('/v2/') ? 'v2' : 'v1';
    if (request.headers.authorization !== `Bearer ${MINIMAX_KEY}`) return failure(version, 1004);
    switch (`${method} ${path}`) {
      case 'POST /v1/video_generation':
      case 'POST /v2/video_generation':
        return generate(request, version, tools);
      case 'GET /v1/query/video_generation':
        return poll(query.get('task_id') ?? '', version, tools);
      case 'GET /v1/files/retrieve':
        return retrieve(query.get('file_id') ?? '', tools);
    }
    const [, id] = /^\/v2\/query\/video_generation\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && id !== undefined) return poll(id, version, tools);
    return { status: 404, body: '404 page not found' };
  });

  function generate(request: VendorRequest, version: Task['version'], tools: VendorTools): VendorReply {
    if (request.headers['content-type'] !== 'application/json') return failure(version, 2013);
    const schema = version === 'v1' ? v1Body : v2Body;
    const parsed = schema.safeParse(request.json);
    if (!parsed.success) return failure(version, 2013);
    const prompt = promptOf(parsed.data);
    const scenario = scenarioOf(prompt);
    if (scenario?.name === 'status') return refusalOf(scenario.count, 'Refused');
    const code = refusalCodeOf(prompt, refusalCodes, tools);
    if (code !== undefined) return failure(version, code);
    if (scenario?.name === 'success-without-id') return success(version, { task_id: '' });
    const job = tools.createJob(prompt, parsed.data);
    const id = String(FIRST_TASK_ID + BigInt(job.number));
    tasks.set(id, { job, version, links: 0 });
    if (scenario?.name === 'submit-500') return failure(version, 1000);
    if (scenario?.name === 'error-with-id')
      return { status: 500, body: { task_id: id, base_resp: { status_code: 1000, status_msg: 'unknown error' } } };
    return success(version, { task_id: scenario?.name === 'numeric-id' ? Number(id) : id });
  }

  function poll(id: string, version: Task['version'], tools: VendorTools): VendorReply {
    const task = tasks.get(id);
    if (!task || task.version !== version) return failure(version, 2013);
    const broken = brokenPoll(task);
    if (broken) return broken;
    const state = tools.poll(task.job);
    return version === 'v1' ? v1Task(id, task, state) : v2Task(id, task, state, tools);
  }

  function v1Task(id: string, { job }: Task, state: JobState): VendorReply {
    const codes: Partial<Record<JobState, number>> = { moderated: 1027, failed: 1033 };
    return success(
      'v1',
      {
        task_id: id,
        status: v1Status[state],
        file_id: state === 'completed' ? String(FIRST_FILE_ID + BigInt(job.number)) : '',
        ...(state === 'completed' ? { video_width: 1366, video_height: 768 } : { video_width: 0, video_height: 0 }),
      },
      codes[state],
    );
  }

  function v2Task(id: string, task: Task, state: JobState, tools: VendorTools): VendorReply {
    const codes: Partial<Record<JobState, string>> = { moderated: '1027', failed: '1033' };
    const body = v2Body.parse(task.job.body);
    const isExpired = state === 'completed' && task.job.scenario?.name === 'expires';
    const isOver = !['queued', 'running', 'weird'].includes(state);
    return success('v2', {
      task: {
        id,
        model: body.model,
        status: isExpired ? 'expired' : v2Status[state],
        ...(state === 'completed' && !isExpired && { content: { url: linkOf(task, tools) } }),
        duration: body.duration,
        resolution: body.resolution,
        ratio: body.ratio ?? '16:9',
        ...(isOver && {
          usage: {
            total_seconds: body.duration,
            input_seconds: 0,
            output_seconds: body.duration,
            input_image_count: 0,
          },
        }),
        error: codes[state] === undefined ? null : { code: codes[state], message: 'Error' },
      },
    });
  }

  function retrieve(fileId: string, tools: VendorTools): VendorReply {
    const task = [...tasks.values()].find(({ job }) => String(FIRST_FILE_ID + BigInt(job.number)) === fileId);
    if (!task) return failure('v1', 2013);
    const url = task.job.scenario?.name === 'no-link' ? '' : linkOf(task, tools);
    return success('v1', {
      file: {
        file_id: fileId,
        bytes: RESULT.length,
        created_at: Math.floor(task.job.createdAt.getTime() / 1_000),
        filename: 'output.mp4',
        purpose: 'video_generation',
        download_url: url,
        backup_download_url: url,
      },
    });
  }

  function linkOf(task: Task, tools: VendorTools): string {
    task.links += 1;
    const url = tools.resultUrl(task.job);
    if (task.job.scenario?.name !== 'renewed') return url;
    return url.replace('/renewed/', task.links === 1 ? '/gone/' : '/good/');
  }
}

const v1Status: Readonly<Record<JobState, string>> = {
  queued: 'Queueing',
  running: 'Processing',
  weird: 'Rendering',
  completed: 'Success',
  'no-url': 'Success',
  cancelled: 'Fail',
  moderated: 'Fail',
  failed: 'Fail',
};

const v2Status: Readonly<Record<JobState, string>> = {
  queued: 'queued',
  running: 'running',
  weird: 'rendering',
  completed: 'succeeded',
  'no-url': 'succeeded',
  cancelled: 'cancelled',
  moderated: 'failed',
  failed: 'failed',
};

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll({ job, version }: Task): VendorReply | undefined {
  const [, kind] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (kind === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  switch (kind) {
    case '401':
      return failure(version, 1004);
    case '404':
      return failure(version, 2013);
    case '429':
      return { ...failure(version, 1002), headers: { 'retry-after': '7' } };
    default:
      return failure(version, 1000);
  }
}

function promptOf(body: z.infer<typeof v1Body> | z.infer<typeof v2Body>): string {
  if ('prompt' in body) return body.prompt;
  return body.content.flatMap((one) => (one.type === 'text' ? [one.text] : []))[0] ?? '';
}

function success(version: Task['version'], body: object, code = 0): VendorReply {
  const base = { base_resp: { status_code: code, status_msg: code === 0 ? 'success' : 'failed' } };
  return { status: 200, body: version === 'v1' ? { ...body, ...base } : body };
}

const refusalCodes: RefusalCodes = {
  'moderated-input': 1026,
  balance: 1008,
  auth: 2049,
  invalid: 2013,
  unavailable: 1041,
  ratelimit: 1002,
};

const statusOfCode: Readonly<Record<number, number>> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 422,
  1027: 422,
  1039: 429,
  1041: 503,
  1042: 400,
  2013: 400,
  2049: 401,
  2056: 429,
};

const typeOfStatus: Readonly<Record<number, string>> = {
  400: 'bad_request_error',
  401: 'authorized_error',
  402: 'insufficient_balance_error',
  422: 'unprocessable_entity_error',
  429: 'rate_limit_error',
};

/** An error with one of MiniMax' codes. */
function failure(version: Task['version'], code: number): VendorReply {
  const pause = code === refusalCodes.ratelimit ? { headers: { 'retry-after': '3' } } : {};
  if (version === 'v1')
    return { status: 200, ...pause, body: { task_id: '', base_resp: { status_code: code, status_msg: `Error` } } };
  return { ...refusalOf(statusOfCode[code] ?? 500, `Error, request refused (${code})`), ...pause };
}

function refusalOf(status: number, message: string): VendorReply {
  return {
    status,
    body: {
      type: 'error',
      error: { type: typeOfStatus[status] ?? 'server_error', message, http_code: String(status) },
      request_id: '05b7d6f8a1c2e3f4a5b6c7d8e9f0a1b2',
    },
  };
}
