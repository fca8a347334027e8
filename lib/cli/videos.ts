import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Command } from 'commander';
import type { SubmittedVideoJson, VideoJson } from '../contract/videos';
import { makeCommand, option, type Outcome } from './command';
import { CommandError, exitCodes, usageError } from './command-error';
import { savingTo, type Destination } from './destination';
import { downloadVideo } from './download';
import { ask, listAll, type Connection } from './http';
import { connectionOptions, findConnection, type ConnectionOptions } from './login';
import { startProgress, type Progress } from './progress';
import { facts, instant, table } from './table';
import { note, readStdin, type Terminal } from './terminal';
import { videoBody, videoFieldOptions, type VideoFieldOptions } from './video-body';

// `video`: create, follow, list, cancel and download videos.

const POLL_INTERVAL_MS = 1_000;
/** How long to wait for an installation that does not answer: a restart takes up to a minute. */
const MAX_SILENCE_MS = 90_000;
const pathOf = (id: string) => `/v1/videos/${encodeURIComponent(id)}`;

interface CreateOptions extends ConnectionOptions, VideoFieldOptions {
  readonly wait?: boolean;
  readonly out?: string;
}

export function videoCommands(terminal: Terminal): Command {
  const create = makeCommand<CreateOptions>(terminal, {
    name: 'create',
    description: 'Submit a video; with --wait or --out also wait for it.',
    examples: [
      'patchbay video create --model sandbox-t2v --prompt "A paper boat on a pond" --seconds 4 --wait --out boat.mp4',
      'patchbay video create --model kling-3.0-i2v --image boat.png --prompt "It sails away" --param sound=true',
    ],
    options: [
      ...connectionOptions,
      ...videoFieldOptions,
      option('--wait', 'wait until the video is completed or failed'),
      option('--out <file>', 'wait, then download it to this file; - is standard output'),
    ],
    more: 'Ctrl+C stops waiting, not the video: go on with "patchbay video get <id> --wait".',
    run: async (options) => {
      const connection = findConnection(terminal, options);
      const order = options.prompt === '-' ? { ...options, prompt: String(await readStdin(terminal)) } : options;
      const { out } = options;
      if (out === undefined) return submit(connection, order);
      return savingTo(terminal, out, (destination) =>
        submit(connection, order, (video) => saveVideo(connection, video.id, destination, video)),
      );
    },
  });
  const get = makeCommand<ConnectionOptions & { wait?: boolean }>(terminal, {
    name: 'get <id>',
    description: 'Show a video; with --wait when it is completed or failed.',
    examples: ['patchbay video get video_0123456789abcdef0123456789abcdef --wait'],
    options: [...connectionOptions, option('--wait', 'wait until it is completed or failed')],
    run: async (options, id = '') => {
      const connection = findConnection(terminal, options);
      return videoOutcome(options.wait ? await waitFor(connection, id) : await readVideo(connection, id));
    },
  });
  const list = makeCommand<ConnectionOptions & { limit: string }>(terminal, {
    name: 'list',
    description: 'List the videos of the account, newest first.',
    examples: ['patchbay video list --limit 50'],
    options: [...connectionOptions, option('--limit <count>', 'how many').default('20')],
    run: async (options) => {
      const limit = Number(options.limit);
      if (!Number.isInteger(limit) || limit < 1) throw usageError('--limit must be a whole number from 1.');
      const videos = await listAll<VideoJson>(findConnection(terminal, options), '/v1/videos', {}, limit);
      return { text: videosTable(videos), json: { object: 'list', data: videos } };
    },
  });
  const cancel = makeCommand<ConnectionOptions>(terminal, {
    name: 'cancel <id>',
    description: 'Cancel a video that is not finished. It is not charged.',
    examples: ['patchbay video cancel video_0123456789abcdef0123456789abcdef'],
    options: connectionOptions,
    run: async (options, id = '') => {
      const { json } = await ask(findConnection(terminal, options), 'POST', `${pathOf(id)}/cancel`);
      return { text: `Cancelled ${id}.\n`, json };
    },
  });
  const download = makeCommand<ConnectionOptions & { out?: string }>(terminal, {
    name: 'download <id>',
    description: 'Download the file of a completed video.',
    examples: ['patchbay video download video_0123456789abcdef0123456789abcdef --out boat.mp4'],
    options: [
      ...connectionOptions,
      option('--out <file>', 'where to write it (default: <id>.mp4); - is standard output'),
    ],
    run: async (options, id = '') => {
      const out = options.out ?? `${path.basename(id)}.mp4`;
      const connection = findConnection(terminal, options);
      return savingTo(terminal, out, (destination) => saveVideo(connection, id, destination));
    },
  });
  return makeCommand(terminal, {
    name: 'video',
    description: 'Create, list, cancel and download videos.',
    examples: ['patchbay video create --model sandbox-t2v --prompt "A paper boat on a pond" --out boat.mp4'],
    commands: [create, get, list, cancel, download],
  });

  /** Submits a video and follows it as the options say. `save` stores the completed video and returns the outcome. */
  async function submit(
    connection: Connection,
    options: CreateOptions,
    save?: (video: VideoJson) => Promise<Outcome>,
  ): Promise<Outcome> {
    const body = videoBody(options, terminal.cwd);
    const answer = await ask(connection, 'POST', '/v1/videos', {
      body,
      headers: { 'idempotency-key': randomUUID() },
    });
    const submitted = answer.json as SubmittedVideoJson; // Safe: what this path answers with success.
    const ignored = answer.headers.get('x-ignored-params');
    if (ignored) note(terminal, `This model ignored: ${ignored}.`);
    if (!options.wait && !save)
      return {
        text: `${submitted.id} is queued, for about $${submitted.cost}. Follow it with: patchbay video get ${submitted.id} --wait\n`,
        json: submitted,
      };
    note(terminal, `${submitted.id} is queued, for about $${submitted.cost}.`);
    const video = await waitFor(connection, submitted.id);
    return save && video.status === 'completed' ? save(video) : videoOutcome(video);
  }

  async function saveVideo(
    connection: Connection,
    id: string,
    destination: Destination,
    video?: VideoJson,
  ): Promise<Outcome> {
    const progress = startProgress(terminal);
    const bytes = await downloadVideo(terminal, connection, id, destination, progress).finally(progress.end);
    const { name, file } = destination;
    if (file === undefined) return { text: '', json: undefined };
    return { text: `Wrote ${name}, ${bytes} bytes.\n`, json: { id, ...video, file, bytes } };
  }

  async function waitFor(connection: Connection, id: string): Promise<VideoJson> {
    const progress = startProgress(terminal);
    try {
      return await followVideo(connection, id, progress);
    } finally {
      progress.end();
    }
  }

  async function followVideo(connection: Connection, id: string, progress: Progress): Promise<VideoJson> {
    let answeredAtMs = terminal.clock.nowMs();
    for (;;) {
      try {
        const video = await readVideo(connection, id);
        if (video.status === 'completed' || video.status === 'failed') return video;
        answeredAtMs = terminal.clock.nowMs();
        progress.show(video.status);
      } catch (error) {
        const isShort = terminal.clock.nowMs() - answeredAtMs < MAX_SILENCE_MS;
        if (!(error instanceof CommandError && error.exitCode === exitCodes.unavailable && isShort)) throw error;
        progress.show('waiting for an answer');
      }
      await terminal.clock.sleep(POLL_INTERVAL_MS, terminal.signal);
    }
  }
}

async function readVideo(connection: Connection, id: string): Promise<VideoJson> {
  const { json } = await ask(connection, 'GET', pathOf(id));
  return json as VideoJson; // Safe: what this path answers with success.
}

/** Returns the outcome for a video. If the video has failed, so has the command. */
function videoOutcome(video: VideoJson): Outcome {
  const { id, status, model, seconds, size, cost, created_at: createdAt, completed_at: completedAt, error } = video;
  return {
    text: facts({
      id,
      status,
      model,
      size: `${size}, ${seconds} s`,
      cost: `$${cost}`,
      created: instant(createdAt),
      finished: completedAt === undefined ? undefined : instant(completedAt),
      error: error && `${error.code}: ${error.message}`,
    }),
    json: video,
    ...(status === 'failed' ? { exitCode: exitCodes.failed } : {}),
  };
}

function videosTable(videos: readonly VideoJson[]): string {
  if (videos.length === 0) return 'There is no video.\n';
  return table([
    ['id', 'status', 'model', 'size', 'seconds', 'cost', 'created'],
    ...videos.map(({ id, status, model, size, seconds, cost, created_at: createdAt }) => [
      id,
      status,
      model,
      size,
      seconds,
      `$${cost}`,
      instant(createdAt),
    ]),
  ]);
}
