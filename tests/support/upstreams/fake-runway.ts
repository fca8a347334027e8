import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
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

// Runway as its API reference and the types of its SDK describe it: three kinds of requests for videos, uploads, and
// tasks that are polled and deleted. Content is refused by a task that fails: the scenario `moderated-input` is accepted.
// Beside the scenarios of every fake it has `code:N` (a submit is refused with that status), `success-without-id`,
// `error-with-id`, `failure-X` (a task fails with the code X in lower case, with `-` for `.` and `--` for `_`),
// `throttled` (the task waits once more), and `stale-link` (the first link ends, later ones do not).

export const RUNWAY_KEY = 'key_imitated0123456789abcdef0123456789abcdef';

export interface FakeRunway extends FakeVideoVendor {
  /** The uploaded files by their runway URIs. */
  readonly uploads: ReadonlyMap<string, File>;
  /** Answers the next requests for an upload, one each. */
  readonly uploadReplies: VendorReply[];
  /** The same for the uploads themselves. */
  readonly storageReplies: VendorReply[];
}

/** The text of a data URL. */
const MAX_DATA_CHARACTERS = 5_000_000;
const https = z.url({ protocol: /^https$/ }).max(2_048);
const uploaded = z.string().regex(/^runway:\/\/upload\//);
const dataOf = (kind: 'image' | 'video' | 'audio') =>
  z
    .string()
    .max(MAX_DATA_CHARACTERS)
    .regex(new RegExp(`^data:${kind}/[a-z0-9]+;base64,`));
const image = z.union([https, uploaded, dataOf('image')]);
const video = z.union([https, uploaded, dataOf('video')]);
const audio = z.union([https, uploaded, dataOf('audio')]);

const text = (max: number) => z.string().min(1).max(max);
const seed = z.int().min(0).max(4_294_967_295).optional();
const seconds = (min: number, max: number) => z.int().min(min).max(max);
const reference = z.strictObject({ uri: image });
const referenceVideo = z.strictObject({ type: z.literal('video'), uri: video });
const positioned = <Position extends string>(...positions: [Position, ...Position[]]) =>
  z
    .array(z.strictObject({ uri: image, position: z.enum(positions) }))
    .min(1)
    .max(positions.length);

const gen4Ratio = z.enum(['1280:720', '720:1280', '1104:832', '960:960', '832:1104', '1584:672']);
const veo = <Model extends string>(model: Model) => ({
  model: z.literal(model),
  promptText: text(1_000),
  ratio: z.enum(['1280:720', '720:1280', '1080:1920', '1920:1080']),
  audio: z.boolean().optional(),
  duration: z.union([z.literal(4), z.literal(6), z.literal(8)]).optional(),
  negativePrompt: z.string().optional(),
  seed,
});
const smallSeedanceRatios = ['992:432', '864:496', '752:560', '640:640', '560:752', '496:864'] as const;
const middleSeedanceRatios = ['1470:630', '1280:720', '1112:834', '960:960', '834:1112', '720:1280'] as const;
const largeSeedanceRatios = ['2206:946', '1920:1080', '1664:1248', '1440:1440', '1248:1664', '1080:1920'] as const;
const hugeSeedanceRatios = ['3840:1646', '3840:2160', '3840:2880', '3840:3840', '2880:3840', '2160:3840'] as const;
const seedance = <Model extends string>(model: Model, ratios: readonly string[], longest: number, prompt: number) => ({
  model: z.literal(model),
  promptText: text(prompt),
  ratio: z.enum(ratios),
  audio: z.boolean().optional(),
  duration: z.union([seconds(4, longest), z.literal('auto')]).optional(),
  seed,
});
const newSeedance = seedance(
  'seedance2_5',
  ['992:432', '854:480', '752:560', '640:640', '560:752', '480:854', ...middleSeedanceRatios, ...largeSeedanceRatios],
  30,
  15_000,
);
const seedanceModels = [
  seedance(
    'seedance2',
    [...smallSeedanceRatios, ...middleSeedanceRatios, ...largeSeedanceRatios, ...hugeSeedanceRatios],
    15,
    3_500,
  ),
  seedance('seedance2_fast', [...smallSeedanceRatios, ...middleSeedanceRatios], 15, 3_500),
  seedance('seedance2_mini', [...smallSeedanceRatios, ...middleSeedanceRatios], 15, 3_500),
];
const referencesUpTo = (images: number, videos: number) => ({
  references: z.array(reference).min(1).max(images).optional(),
  referenceVideos: z.array(referenceVideo).min(1).max(videos).optional(),
});
const references = referencesUpTo(9, 3);
const referenceAudio = z
  .array(z.strictObject({ type: z.literal('audio'), uri: audio }))
  .min(1)
  .max(3)
  .optional();
const withVoice = { ...references, referenceAudio };
/** "Up to 30" images; the types have no number of videos, of which the model takes 10 at its vendor. */
const newSeedanceReferences = { ...referencesUpTo(30, 10), referenceAudio };
const hailuo = {
  model: z.literal('hailuo3'),
  promptText: text(7_000),
  duration: seconds(5, 15).optional(),
  ratio: z.enum(['adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16']).optional(),
  resolution: z.enum(['768p', '2k']).optional(),
};
const grok = {
  model: z.literal('grok_imagine_1_5'),
  promptText: text(32_000),
  duration: seconds(1, 15).optional(),
  resolution: z.enum(['480p', '720p', '1080p']).optional(),
};
const wanModels = ['wan3', 'wan3_prime'].map((model) => ({
  model: z.literal(model),
  promptText: text(20_000),
  audio: z.boolean().optional(),
  duration: seconds(2, 30).optional(),
}));
const wanRatio = z.enum(
  '832:480 720:544 624:624 544:720 480:832 1280:720 1104:832 960:960 832:1104 720:1280 1920:1080 1648:1248 1440:1440 1248:1648 1080:1920'.split(
    ' ',
  ),
);
const h3Max = {
  model: z.literal('h3_max'),
  promptText: text(7_000),
  duration: seconds(5, 15).optional(),
  resolution: z.enum(['480p', '768p']).optional(),
  promptExpansionMode: z.enum(['disabled', 'balanced', 'quality']).optional(),
  seed,
};
// The types have no numbers of references: that of an edit is of a public note that quotes Runway's description of its API,
// and the others are those of Google.
const omni = {
  model: z.literal('gemini_omni_flash_1.1'),
  promptText: text(20_000),
  duration: z.union([seconds(3, 10), z.literal('auto')]).optional(),
  ratio: z.enum('640:360 360:640 1280:720 720:1280 1920:1080 1080:1920 3840:2160 2160:3840'.split(' ')).optional(),
};
const firstOmni = {
  model: z.literal('gemini_omni_flash'),
  promptText: omni.promptText,
  duration: seconds(3, 10).optional(),
  ratio: z.enum(['1280:720', '720:1280']).optional(),
};
const frame = positioned('first');
const frames = positioned('first', 'last');

/** The bodies of each path, by their model. */
export const runwayBodies: Readonly<Record<string, readonly z.ZodObject[]>> = {
  '/v1/text_to_video': [
    z.strictObject({
      model: z.literal('gen4.5'),
      promptText: text(1_000),
      ratio: z.enum(['1280:720', '720:1280']),
      duration: seconds(2, 10),
      seed,
    }),
    z.strictObject(veo('veo3.1')),
    z.strictObject(veo('veo3.1_fast')),
    ...seedanceModels.map((fields) => z.strictObject({ ...fields, ...withVoice })),
    z.strictObject({ ...newSeedance, ...newSeedanceReferences }),
    z.strictObject({
      model: z.literal('happyhorse_1_0'),
      promptText: text(2_500),
      duration: seconds(3, 15).optional(),
      ratio: z
        .enum(['1280:720', '720:1280', '960:960', '1108:832', '832:1108'])
        .or(z.enum(['1920:1080', '1080:1920', '1440:1440', '1662:1248', '1248:1662']))
        .optional(),
    }),
    z.strictObject({ ...hailuo, ...withVoice }),
    ...wanModels.map((fields) =>
      z.strictObject({ ...fields, ratio: wanRatio.optional(), ...referencesUpTo(10, 3), referenceAudio }),
    ),
    z.strictObject({
      ...omni,
      references: z.array(reference).min(1).max(10).optional(),
      referenceVideos: z
        .array(z.strictObject({ uri: video }))
        .min(1)
        .max(3)
        .optional(),
    }),
    z.strictObject(firstOmni),
    z.strictObject(h3Max),
    z.strictObject({
      ...grok,
      ratio: z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3']).optional(),
      references: references.references,
      referenceAudio,
    }),
  ],
  '/v1/image_to_video': [
    z.strictObject({
      model: z.literal('gen4.5'),
      promptText: text(1_000),
      promptImage: frame,
      ratio: gen4Ratio,
      duration: seconds(2, 10),
      seed,
    }),
    z.strictObject({
      model: z.literal('gen4_turbo'),
      promptText: text(1_000).optional(),
      promptImage: frame,
      ratio: gen4Ratio,
      duration: seconds(2, 10).optional(),
      seed,
    }),
    z.strictObject({ ...veo('veo3.1'), promptImage: frames }),
    z.strictObject({ ...veo('veo3.1_fast'), promptImage: frames }),
    ...[...seedanceModels, newSeedance].map((fields) => z.strictObject({ ...fields, promptImage: frames })),
    z.strictObject({
      model: z.literal('happyhorse_1_0'),
      promptText: text(2_500).optional(),
      promptImage: frame,
      duration: seconds(3, 15).optional(),
      resolution: z.enum(['720p', '1080p']).optional(),
    }),
    z.strictObject({ ...hailuo, promptImage: frames }),
    ...wanModels.map((fields) =>
      z.strictObject({ ...fields, ratio: z.enum(['auto_480p', 'auto_720p', 'auto_1080p']), promptImage: frames }),
    ),
    z.strictObject({ ...h3Max, promptImage: frames }),
    z.strictObject({ ...omni, promptImage: frames }),
    z.strictObject({ ...firstOmni, promptImage: frame }),
    z.strictObject({ ...grok, promptImage: frame }),
  ],
  '/v1/video_to_video': [
    z.strictObject({
      model: firstOmni.model,
      promptText: firstOmni.promptText,
      videoUri: video,
      references: referencesUpTo(5, 1).references,
    }),
    z.strictObject({
      ...omni,
      videoUri: video,
      mode: z.enum(['reference', 'extend', 'edit']).optional(),
      references: referencesUpTo(5, 1).references,
    }),
    z.strictObject({
      model: z.literal('aleph2'),
      promptText: text(32_000).optional(),
      videoUri: video,
      targetAspectRatio: z.enum(['16:9', '4:3', '3:2', '1:1', '2:3', '3:4', '9:16', '21:9']).optional(),
      seed,
    }),
    // "Modifies the input video in place, requires promptText, requires duration: "auto", and does not accept ratio." The
    // other modes of the model are not imitated.
    z.strictObject({
      model: newSeedance.model,
      promptVideo: video,
      promptText: newSeedance.promptText,
      mode: z.literal('edit'),
      duration: z.literal('auto'),
      audio: newSeedance.audio,
      seed,
      ...newSeedanceReferences,
    }),
  ],
};

const DOC_URL = 'https://docs.dev.runwayml.com/api';
const CREDITS = 60;

const sentences: Readonly<Record<number, string>> = {
  400: 'Validation of body failed',
  401: 'The API key you provided is not valid.',
  404: 'Could not find Task',
  429: 'Your daily task limit has been reached.',
};
/** Of the scenario `balance`; Runway answers it with 400. */
const BALANCE = 402;

/** The status of each refusal. Content is refused later. */
const refusalCodes: Omit<RefusalCodes, 'moderated-input'> = {
  balance: BALANCE,
  auth: 401,
  invalid: 400,
  unavailable: 503,
  ratelimit: 429,
};

interface Task {
  readonly id: string;
  readonly job: VendorJob;
  deleted: boolean;
}

export async function startFakeRunway(): Promise<FakeRunway> {
  const tasks = new Map<string, Task>();
  const slots = new Map<string, string>();
  const uploads = new Map<string, File>();
  const uploadReplies: VendorReply[] = [];
  const storageReplies: VendorReply[] = [];

  const vendor = await startFakeVideoVendor(async (request, tools) => {
    const { method, path, headers } = request;
    // Another host in reality, which gets no key.
    if (path.startsWith('/storage/')) return method === 'POST' ? store(request) : notFound();
    if (headers['x-runway-version'] !== '2024-11-06')
      return failure(400, 'X-Runway-Version request header was not specified or is not supported.');
    if (headers.authorization === undefined) return failure(401, 'No API key was provided.');
    if (headers.authorization !== `Bearer ${RUNWAY_KEY}`) return failure(401);
    if (method === 'POST' && path === '/v1/uploads') return uploadReplies.shift() ?? openSlot(request, tools);
    const bodies = runwayBodies[path];
    if (bodies) return method === 'POST' ? generate(request, bodies, tools) : failure(405, 'Method not allowed');
    const task = tasks.get(/^\/v1\/tasks\/([^/]+)$/.exec(path)?.[1] ?? '');
    if (!path.startsWith('/v1/tasks/')) return notFound();
    if (!task || task.deleted) return failure(404);
    if (method === 'DELETE') return remove(task);
    return method === 'GET' ? poll(task, tools) : failure(405, 'Method not allowed');
  });

  function openSlot({ json }: VendorRequest, { baseUrl }: VendorTools): VendorReply {
    const body = z.strictObject({ filename: z.string().regex(/^\w+\.\w+$/), type: z.literal('ephemeral') });
    if (!body.safeParse(json).success) return failure(400);
    const id = randomUUID();
    const uri = `runway://upload/${id}`;
    slots.set(id, uri);
    return {
      status: 200,
      body: { uploadUrl: `${baseUrl}/storage/${id}`, fields: { key: id, policy: 'cG9saWN5' }, runwayUri: uri },
    };
  }

  async function store({ path, headers, raw }: VendorRequest): Promise<VendorReply> {
    const scripted = storageReplies.shift();
    if (scripted) return scripted;
    const id = path.slice('/storage/'.length);
    const uri = slots.get(id);
    const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': headers['content-type'] ?? '' } })
      .formData()
      .catch(() => undefined);
    const file = form?.get('file');
    const isSigned = form?.get('key') === id && form.get('policy') === 'cG9saWN5';
    if (headers.authorization !== undefined || !uri || !isSigned || !(file instanceof File)) return { status: 403 };
    if ([...form.keys()].at(-1) !== 'file') return { status: 400 };
    uploads.set(uri, file);
    return { status: 204 };
  }

  function generate(request: VendorRequest, bodies: readonly z.ZodObject[], tools: VendorTools): VendorReply {
    if (request.headers['content-type'] !== 'application/json') return failure(400, 'The body must be JSON.');
    const attempts = bodies.map((schema) => schema.safeParse(request.json));
    const body = attempts.find(({ success }) => success)?.data;
    if (!body) return invalid(attempts);
    const uris = JSON.stringify(body).match(/runway:\/\/upload\/[\w-]+/g) ?? [];
    if (uris.some((uri) => !uploads.has(uri))) return failure(400);

    const prompt = typeof body.promptText === 'string' ? body.promptText : '';
    const scenario = scenarioOf(prompt);
    const code = scenario?.name === 'moderated-input' ? undefined : refusalCodeOf(prompt, allCodes, tools);
    if (code === BALANCE) return failure(400, 'You do not have enough credits to run this task.');
    if (code !== undefined) return failure(code);
    if (scenario?.name === 'success-without-id') return { status: 200, body: { estimatedCost: { credits: CREDITS } } };
    const job = tools.createJob(prompt, request.json);
    const task: Task = { id: randomUUID(), job, deleted: false };
    tasks.set(task.id, task);
    if (scenario?.name === 'submit-500') return failure(500, 'Internal error');
    const created = { id: task.id, estimatedCost: { credits: CREDITS } };
    if (scenario?.name === 'error-with-id') return { status: 500, body: { ...created, error: 'Internal error' } };
    return { status: 200, body: created };
  }

  function remove(task: Task): VendorReply {
    const isRunning = !task.job.cancelled && task.job.polls < 3;
    // A task that has ended is deleted with its result. The types of the SDK have CANCELLED for one that was running.
    if (isRunning || task.job.scenario?.name === 'hang') task.job.cancelled = true;
    else task.deleted = true;
    return { status: 204 };
  }

  function poll({ id, job }: Task, tools: VendorTools): VendorReply {
    const broken = brokenPoll(job);
    if (broken) return broken;
    const state = tools.poll(job);
    return { status: 200, body: { id, createdAt: job.createdAt.toISOString(), ...taskOf(state, job, tools) } };
  }

  return Object.assign(vendor, { uploads, uploadReplies, storageReplies });
}

/** `refusalCodeOf` needs a code for every scenario; that of refused content is never asked for. */
const allCodes: RefusalCodes = { ...refusalCodes, 'moderated-input': 400 };

function taskOf(state: JobState, job: VendorJob, tools: VendorTools): object {
  const estimatedCost = { credits: CREDITS };
  const cost = { credits: CREDITS };
  const failed = (failureCode: string | undefined, charged = CREDITS) => ({
    status: 'FAILED',
    failure: 'An unexpected error occurred.',
    ...(failureCode !== undefined && { failureCode }),
    cost: { credits: charged },
  });
  const { name = '' } = job.scenario ?? {};
  const stated = /^failure-(.+)$/.exec(name)?.[1];
  switch (state) {
    case 'queued':
      return { status: name === 'throttled' ? 'THROTTLED' : 'PENDING', estimatedCost };
    case 'running':
      if (name === 'moderated-input') return failed('SAFETY.INPUT.TEXT');
      return { status: 'RUNNING', progress: 0.42, estimatedCost };
    case 'weird':
      return { status: 'POLISHING', estimatedCost };
    case 'cancelled':
      return { status: 'CANCELLED', cost: { credits: 0 } };
    case 'moderated':
      return failed('SAFETY.OUTPUT.VIDEO', 0);
    case 'failed':
      return failed(undefined, 0);
    case 'no-url':
      return { status: 'SUCCEEDED', output: [], cost };
    case 'completed':
      if (stated !== undefined) return failed(stated.toUpperCase().replaceAll('-', '.').replaceAll('..', '_'));
      return { status: 'SUCCEEDED', output: [`${linkOf(job, tools)}?_jwt=${job.polls}`], cost };
  }
}

/** Every poll has a new link. */
function linkOf(job: VendorJob, tools: VendorTools): string {
  const url = tools.resultUrl(job);
  if (job.scenario?.name !== 'stale-link') return url;
  return url.replace('/stale-link/', job.polls === 3 ? '/expired/' : '/good/');
}

/** The first polls of a scenario such as `poll404:2`; undefined for the others. */
function brokenPoll(job: VendorJob): VendorReply | undefined {
  const [, status] = /^poll(401|404|429|500)$/.exec(job.scenario?.name ?? '') ?? [];
  if (status === undefined || job.polls >= (job.scenario?.count ?? 0)) return undefined;
  job.polls += 1;
  return failure(Number(status), undefined, 7);
}

function notFound(): VendorReply {
  return { status: 404, body: 'Cannot find the page' };
}

export function failure(status: number, error?: string, pauseSeconds = 3): VendorReply {
  return {
    status,
    ...(status === 429 && { headers: { 'retry-after': String(pauseSeconds) } }),
    body: { error: error ?? sentences[status] ?? `Error ${status}`, docUrl: DOC_URL },
  };
}

function invalid(attempts: readonly z.ZodSafeParseResult<unknown>[]): VendorReply {
  // The issues of the body that is meant: the one of this model.
  const issues = attempts
    .map(({ error }) => error?.issues ?? [])
    .toSorted((one, other) => Number(isOtherModel(one)) - Number(isOtherModel(other)))[0];
  return { status: 400, body: { error: sentences[400], issues, docUrl: DOC_URL } };
}

const isOtherModel = (issues: readonly z.core.$ZodIssue[]) => issues.some(({ path }) => path[0] === 'model');
