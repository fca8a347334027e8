import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGatewayError } from '../../../lib/domain/errors';
import type { Json } from '../../../lib/domain/json';
import type { Call } from '../../../lib/domain/call';
import type { ByteRange, Content } from '../../../lib/domain/files';
import { newId } from '../../../lib/domain/ids';
import type { RunningVideo, VideoProgress, VideoProvider, VideoStart } from '../../../lib/domain/video';
import type { RecordedLog } from '../../support/log';

// The contract of every video provider, whatever its upstream. A provider's own test calls `videoContract` with a
// function that creates a subject: the provider in front of its fake upstream (or, locally, of the real one).

export interface VideoSubject {
  readonly provider: VideoProvider;
  /** Every log that the provider can write to. */
  readonly log: RecordedLog;
  /** A start that succeeds, with its own id. */
  makeStart(change?: { readonly prompt?: string; readonly parameters?: VideoStart['order']['parameters'] }): VideoStart;
  /** Lets time pass between two checks. */
  pause(): Promise<void>;
  /** A start whose upstream work never finishes; required if `cancel` is present. */
  makeEndlessStart?(): VideoStart;
  /** A start that its upstream rejects for its content, immediately or later. */
  makeModeratedStart?(): VideoStart;
  /** A start whose first check gets the error of that name; see `errors` of the contract. */
  makeFailingStart?(error: string): VideoStart;
  /** From now on the upstream accepts connections and does not respond. */
  stall?(): void;
  /** The number of upstream jobs for that start. */
  countWorks?(start: VideoStart): Promise<number>;
  dispose(): Promise<void>;
}

interface ContractOptions {
  /** Names of errors that a check can get: `503`, `timeout`, `html` … */
  readonly errors?: readonly string[];
  /** The optional parts of `VideoSubject` that this subject has. */
  readonly has: readonly ('endless' | 'moderated' | 'stall' | 'works')[];
}

/** An abort ends a call this soon, even on a busy machine. The upstreams here run longer, or endlessly. */
const promptlyMs = 10_000;

export function makeCall(log: Call['log'], signal: AbortSignal = new AbortController().signal): Call {
  return { signal, log };
}

/** The same for all checks, because a provider may count the lifetime of a file from it. */
const STARTED_AT = new Date();

/** A video of that receipt that was started a moment ago. */
export function makeRunning(receipt: Json, change: Partial<RunningVideo> = {}): RunningVideo {
  return { videoId: newId('video'), receipt, startedAt: STARTED_AT, failures: 0, ...change };
}

/**
 * Checks until the video is completed or failed, and again after a failed check. Only the time limit of the test ends
 * it: how long a rendering takes depends on the machine.
 */
export async function settle(
  subject: Pick<VideoSubject, 'provider' | 'log' | 'pause'>,
  receipt: Json,
  change: Partial<RunningVideo> = {},
): Promise<Extract<VideoProgress, { status: 'completed' | 'failed' }>> {
  for (;;) {
    const progress = await subject.provider
      .check(makeRunning(receipt, change), makeCall(subject.log))
      .catch((error: unknown) => {
        if (isGatewayError(error) && error.extra.upstream?.retry === 'later') return undefined;
        throw error;
      });
    if (progress?.status === 'completed' || progress?.status === 'failed') return progress;
    await subject.pause();
  }
}

export async function readBody(content: Content): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content.body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export function videoContract(name: string, makeSubject: () => Promise<VideoSubject>, options: ContractOptions): void {
  describe(`${name} meets the contract of video providers`, () => {
    let subject: VideoSubject;
    let declared = 0;
    const ran = new Set<string>();
    const fact = (title: string, test: () => Promise<void>) => {
      declared++;
      it(title, async () => {
        await test();
        ran.add(title);
      });
    };
    const has = (part: ContractOptions['has'][number]) => options.has.includes(part);
    const start = (order: VideoStart, signal?: AbortSignal) =>
      subject.provider.start(order, makeCall(subject.log, signal));
    const open = (file: Json, range?: ByteRange, signal?: AbortSignal) =>
      subject.provider.open(file, range, makeCall(subject.log, signal));

    const canary = `canary${randomBytes(8).toString('hex')}`;
    const startedAt = new Date();
    let receipt: Json;
    let ended: Extract<VideoProgress, { status: 'completed' | 'failed' }>;

    beforeAll(async () => {
      subject = await makeSubject();
      const begun = await start(subject.makeStart({ prompt: `A ${canary} in the morning light` }));
      receipt = JSON.parse(JSON.stringify(begun.receipt));
      ended = await settle(subject, receipt, { startedAt });
    });
    afterAll(() => subject?.dispose());

    const completedFile = (): Json => {
      if (ended.status !== 'completed') throw new Error(`The video failed: ${ended.code} ${ended.message}`);
      return JSON.parse(JSON.stringify(ended.video.file));
    };

    fact('a receipt that went through JSON leads to the completed video', async () => {
      expect(ended).toMatchObject({ status: 'completed' });
      expect(completedFile()).toEqual(ended.status === 'completed' && ended.video.file);
    });

    fact('a completed video stays completed at every later check', async () => {
      const later = await subject.provider.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));
      expect(withoutQueries(later)).toEqual(withoutQueries(ended));
    });

    fact('the whole file is an MP4 of the reported length', async () => {
      const content = await open(completedFile());
      const bytes = await readBody(content);
      expect(content).toMatchObject({ status: 200, start: 0 });
      expect(content.length ?? bytes.length).toBe(bytes.length);
      expect(bytes.subarray(4, 8).toString('latin1')).toBe('ftyp');
      expect(bytes.length).toBeGreaterThan(1_024);
    });

    const ranges: readonly (readonly [
      string,
      (total: number) => ByteRange,
      (total: number) => readonly [number, number],
    ])[] = [
      ['the first bytes', () => ({ start: 0, end: 99 }), () => [0, 100]],
      [
        'bytes in the middle',
        (total) => ({ start: total >> 1, end: (total >> 1) + 63 }),
        (total) => [total >> 1, (total >> 1) + 64],
      ],
      ['bytes from an offset to the end', (total) => ({ start: total - 50 }), (total) => [total - 50, total]],
      [
        'a range that reaches beyond the end',
        (total) => ({ start: total - 10, end: total + 1_000 }),
        (total) => [total - 10, total],
      ],
      ['the last bytes', () => ({ start: -40 }), (total) => [total - 40, total]],
    ];
    for (const [title, range, bounds] of ranges) {
      fact(`a range gives ${title}`, async () => {
        const whole = await readBody(await open(completedFile()));
        const [from, to] = bounds(whole.length);
        const content = await open(completedFile(), range(whole.length));
        expect(content).toMatchObject({ status: 206, start: from });
        expect(content.total ?? whole.length).toBe(whole.length);
        expect((await readBody(content)).equals(whole.subarray(from, to))).toBe(true);
      });
    }

    fact('a range beyond the end is 416 and reports the length of the file', async () => {
      const total = (await readBody(await open(completedFile()))).length;
      const content = await open(completedFile(), { start: total + 1 });
      content.body.destroy();
      expect(content).toMatchObject({ status: 416, total });
    });

    fact('unknown parameters change nothing', async () => {
      const begun = await start(subject.makeStart({ parameters: { a_parameter_of_nobody: 'yes', another: 7 } }));
      expect((await settle(subject, begun.receipt)).status).toBe('completed');
    });

    fact('an abort before the call ends it', async () => {
      const aborted = AbortSignal.abort();
      const calls = [
        () => start(subject.makeStart(), aborted),
        () => subject.provider.check(makeRunning(receipt), makeCall(subject.log, aborted)),
        () => open(completedFile(), undefined, aborted),
      ];
      for (const call of calls) expect(await howItEnds(call())).toBe('rejected');
    });

    fact('an abort ends a running download', async () => {
      const stop = new AbortController();
      const content = await open(completedFile(), undefined, stop.signal);
      stop.abort();
      expect(await howItEnds(readBody(content))).toBe('rejected');
      expect(content.body.destroyed).toBe(true);
    });

    for (const error of options.errors ?? []) {
      fact(`a check with the error ${error} rejects and does not report a failed video`, async () => {
        const begun = await start(present(subject.makeFailingStart, 'makeFailingStart')(error));
        const outcome = await subject.provider.check(makeRunning(begun.receipt), makeCall(subject.log)).then(
          (progress) => progress.status,
          (error: unknown) => (isGatewayError(error) ? error.extra.upstream?.retry : 'an error without an outcome'),
        );
        expect(outcome).toBe('later');
        expect((await settle(subject, begun.receipt)).status).toBe('completed');
      });
    }

    if (has('moderated')) {
      fact('content that the upstream refuses is a violation of the content policy, with a message', async () => {
        const outcome = await start(present(subject.makeModeratedStart, 'makeModeratedStart')()).then(
          (begun) => settle(subject, begun.receipt),
          (error: unknown) => error,
        );
        // Immediately (a rejection that is not retried) or later (a failed video): both end the video with this code.
        expect(outcome).toMatchObject({
          code: 'content_policy_violation',
          message: expect.stringMatching(/^[A-Z].{10,}\.$/s),
        });
      });
    }

    if (has('works')) {
      fact('a start that is repeated with the same id begins one job', async () => {
        const order = subject.makeStart();
        const first = await start(order);
        if (subject.provider.repeatable) {
          const second = await start(order);
          expect(second.receipt).toEqual(first.receipt);
        }
        await settle(subject, first.receipt);
        if (subject.provider.repeatable) await start(order);
        expect(await present(subject.countWorks, 'countWorks')(order)).toBe(1);
      });
    }

    fact('a video can be cancelled while it runs, but not when it is completed', async () => {
      const answer = await subject.provider.cancel?.(makeRunning(receipt), makeCall(subject.log));
      // This one cannot be cancelled at any time; the provider may have others.
      if (answer === undefined || answer === 'unsupported') return;
      expect(answer).toBe('too_late');
      const later = await subject.provider.check(makeRunning(receipt, { startedAt }), makeCall(subject.log));
      expect(withoutQueries(later)).toEqual(withoutQueries(ended));
      const begun = await start(present(subject.makeEndlessStart, 'makeEndlessStart')());
      await subject.provider.check(makeRunning(begun.receipt), makeCall(subject.log));
      const cancelled = await subject.provider.cancel?.(makeRunning(begun.receipt), makeCall(subject.log));
      expect(['cancelled', 'requested']).toContain(cancelled);
      expect(await settle(subject, begun.receipt)).toMatchObject({ status: 'failed' });
    });

    if (has('stall')) {
      fact('an abort ends start, check and open while the upstream is silent', async () => {
        const file = completedFile();
        present(subject.stall, 'stall')();
        const calls = [
          (signal: AbortSignal) => start(subject.makeStart(), signal),
          (signal: AbortSignal) => subject.provider.check(makeRunning(receipt), makeCall(subject.log, signal)),
          (signal: AbortSignal) => open(file, undefined, signal),
        ];
        for (const call of calls) {
          const stop = new AbortController();
          const pending = call(stop.signal);
          pending.catch(() => {});
          await new Promise((resolve) => setImmediate(resolve));
          stop.abort();
          expect(await howItEnds(pending)).toBe('rejected');
        }
      });
    }

    fact('no prompt reaches the log', async () => {
      expect(JSON.stringify(subject.log.lines)).not.toContain(canary);
    });

    it('ran every case of this contract', () => {
      expect(declared).toBeGreaterThanOrEqual(14);
      expect(ran.size).toBe(declared);
    });
  });
}

/** Some upstreams sign a new link at every check: its query changes, and nothing else. */
function withoutQueries(progress: VideoProgress): unknown {
  if (progress.status !== 'completed') return progress;
  const { file, publicUrl, ...facts } = progress.video;
  const links = JSON.stringify([file, publicUrl]).replace(/\?[^"]*/g, '');
  return { ...progress, video: { ...facts, links } };
}

async function howItEnds(pending: Promise<unknown>): Promise<'resolved' | 'rejected' | 'late'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), promptlyMs);
  });
  const end = pending.then(
    () => 'resolved' as const,
    () => 'rejected' as const,
  );
  return Promise.race([end, late]).finally(() => clearTimeout(timer));
}

function present<T extends (...args: never[]) => unknown>(part: T | undefined, name: string): T {
  if (!part) throw new Error(`The subject of this contract needs ${name}.`);
  return part;
}
