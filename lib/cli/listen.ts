import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { Webhook } from 'standardwebhooks';
import type { VideoJson, VideoPageJson } from '../contract/videos';
import { parseUrl } from '../domain/url';
import { makeCommand, option, type Outcome } from './command';
import { CommandError, exitCodes, usageError } from './command-error';
import { ask, withQuery, type Connection } from './http';
import { connectionOptions, findConnection, readLogin, writeLogin, type ConnectionOptions } from './login';
import { note, type Terminal } from './terminal';

// `listen`: sends webhooks to a receiver that the installation cannot reach. It follows the videos of the key's
// organisation. For each video that ends, it sends a webhook to the receiver, signed with the secret of this command.

const POLL_INTERVAL_MS = 1_000;
const PAGE = 100;
const RECEIVER_MS = 10_000;

interface ListenOptions extends ConnectionOptions {
  readonly forwardTo?: string;
  readonly secret?: string;
  readonly count?: string;
}

export function listenCommand(terminal: Terminal): Command {
  return makeCommand<ListenOptions>(terminal, {
    name: 'listen',
    description: 'Forward the webhooks of videos that end to a receiver on this machine.',
    examples: ['patchbay listen --forward-to http://127.0.0.1:4000/finished'],
    options: [
      ...connectionOptions,
      option('--forward-to <url>', 'the receiver (required)'),
      option('--secret <secret>', 'the signing secret, whsec_… (default: one that is stored with the login)'),
      option('--count <count>', 'stop after this number of webhooks'),
    ],
    more: 'It forwards videos that end while it runs, whichever key of the organisation and mode submitted them.',
    run: (options) => listen(terminal, options),
  });
}

async function listen(terminal: Terminal, options: ListenOptions): Promise<Outcome> {
  const target = options.forwardTo;
  if (target === undefined || !/^https?:$/.test(parseUrl(target)?.protocol ?? ''))
    throw usageError('--forward-to must be an http URL, such as http://127.0.0.1:4000/finished.');
  const max = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count);
  if (!(max >= 1)) throw usageError('--count must be a whole number from 1.');
  const connection = findConnection(terminal, options);
  const secret = options.secret ?? ownSecret(terminal, connection);
  const webhook = openWebhook(secret);
  const running = new Map((await newest(connection)).map((video) => [video.id, isEnded(video)]));
  note(terminal, `Forwarding to ${target}. The secret is ${secret}. Ctrl+C ends it.`);

  let forwarded = 0;
  const failed: string[] = [];
  while (forwarded < max) {
    await terminal.clock.sleep(POLL_INTERVAL_MS, terminal.signal);
    for (const video of await endedSince(connection, running)) {
      const status = await forward(webhook, target, video);
      const isTaken = status !== undefined && status < 300;
      if (!isTaken) failed.push(video.id);
      note(terminal, `${video.id} ${video.status}: ${status === undefined ? 'the receiver does not answer' : status}`);
      forwarded += 1;
    }
  }
  return {
    text: `Forwarded ${forwarded}, of which ${failed.length} were not accepted.\n`,
    json: { forwarded, failed },
    ...(failed.length > 0 && { exitCode: exitCodes.failed }),
  };
}

/**
 * Returns the secret that is stored with the login, so that a receiver is configured only once. Without a login,
 * returns a new one.
 */
function ownSecret(terminal: Terminal, { url }: Connection): string {
  const login = readLogin(terminal);
  if (login?.webhook_secret !== undefined && login.base_url === url) return login.webhook_secret;
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  if (login?.base_url === url) writeLogin(terminal, { ...login, webhook_secret: secret });
  return secret;
}

function openWebhook(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw usageError('--secret must be a webhook secret: whsec_ followed by base64.');
  }
}

const isEnded = ({ status }: VideoJson) => status === 'completed' || status === 'failed';

async function newest(connection: Connection): Promise<readonly VideoJson[]> {
  const { json } = await ask(connection, 'GET', withQuery('/v1/videos', { limit: String(PAGE) }));
  return (json as VideoPageJson).data; // Safe: what this path answers with success.
}

/**
 * Returns the videos that have ended since the last call. `known` says for each video seen so far whether it had ended.
 */
async function endedSince(connection: Connection, known: Map<string, boolean>): Promise<readonly VideoJson[]> {
  const page = await newest(connection).catch((error: unknown) => {
    // The installation may be restarting, so the next call tries again.
    if (error instanceof CommandError && error.exitCode === exitCodes.unavailable) return [];
    throw error;
  });
  const listed = new Set(page.map(({ id }) => id));
  const older = page.length === 0 ? [] : [...known].flatMap(([id, ended]) => (ended || listed.has(id) ? [] : [id]));
  const others = await Promise.all(older.map((id) => readIfThere(connection, id)));
  const ended: VideoJson[] = [];
  for (const video of [...page, ...others.filter((each) => each !== undefined)]) {
    if (isEnded(video) && known.get(video.id) !== true) ended.push(video);
    known.set(video.id, isEnded(video));
  }
  for (const [at, id] of older.entries()) if (!others[at]) known.set(id, true);
  return ended.toReversed();
}

/** Resolves to undefined if the video was deleted. */
async function readIfThere(connection: Connection, id: string): Promise<VideoJson | undefined> {
  try {
    return (await ask(connection, 'GET', `/v1/videos/${encodeURIComponent(id)}`)).json as VideoJson;
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === exitCodes.failed) return undefined;
    throw error;
  }
}

/** Resolves to the status of the receiver's response; undefined if there was none. */
async function forward(webhook: Webhook, target: string, video: VideoJson): Promise<number | undefined> {
  const body = JSON.stringify(video);
  const id = `cli_${video.id}`;
  const at = new Date();
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': webhook.sign(id, at, body),
        'x-patchbay-event': video.status === 'failed' ? 'video.failed' : 'video.completed',
        'x-patchbay-attempt': '1',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(RECEIVER_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return undefined;
  }
}
