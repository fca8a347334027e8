import type { Readable } from 'node:stream';
import type { KeyRevocationWatch } from '../../accounts/key-revocation-watch';
import type { Cancel, Clock } from '../../domain/clock';
import type { GatewayError } from '../../domain/errors';
import type { Log } from '../../domain/log';
import type { MessagesRoute } from '../../routing/messages-router';
import { createEventStream } from './event-stream';
import { codeOf, type MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';
import { readAnswer, type Batch, type Reading } from './read-answer';

// A streamed answer whose events are read, mended or translated by its provider, and written anew.

export interface StreamDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly keyRevocations: KeyRevocationWatch;
}

/** An answer that has said something, or nothing for so long that its caller is told that it has begun. */
export interface BegunAnswer {
  /** Its events; to be called once. */
  open(): Readable;
}

/** Reads until something has been said, or for `withinMs`. Rejects with the provider's error, and then nothing runs any more. */
export async function beginEvents(
  deps: StreamDeps,
  run: MessageRun,
  by: Answering,
  withinMs: number,
): Promise<BegunAnswer> {
  const controller = new AbortController();
  const unfollow = run.input.hangUp.follow(() => controller.abort(new Error('the caller left')));
  const reading = readAnswer(run, by, controller.signal, deps.log);
  try {
    const begun = await readBeginning(deps.clock, reading, withinMs);
    return { open: () => openEvents(deps, run, reading, begun, controller) };
  } catch (error) {
    reading.stop();
    throw error;
  } finally {
    unfollow();
  }
}

interface Beginning {
  /** The batches so far, as one. */
  readonly first: Batch | undefined;
  /** What was asked for and has not come. */
  readonly waiting: Promise<Batch | undefined> | undefined;
}

async function readBeginning(clock: Clock, reading: Reading, withinMs: number): Promise<Beginning> {
  let first: Batch | undefined;
  let cancel = () => {};
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.after(Math.max(0, withinMs), () => resolve('late'));
  });
  try {
    for (;;) {
      const waiting = reading.next();
      const batch = await Promise.race([waiting, late]);
      if (batch === 'late') {
        // It is awaited again when the stream is read; until then its failure is nobody's.
        waiting.catch(() => {});
        return { first, waiting };
      }
      if (!batch) return { first, waiting: Promise.resolve(undefined) };
      first = first ? [...first, ...batch] : batch;
      if (reading.meter.hasSaid) return { first, waiting: undefined };
    }
  } finally {
    cancel();
  }
}

/** Until it is cancelled, `onEnd` is called when the caller's key no longer allows this stream. */
export function watchKey(
  { keyRevocations }: Pick<StreamDeps, 'keyRevocations'>,
  { caller, model }: MessageRun,
  { binding }: MessagesRoute,
  onEnd: (error: GatewayError) => void,
): Cancel {
  return keyRevocations.watch(caller, {
    path: '/v1/messages',
    using: () => ({ modelId: model.id, providerId: binding.providerId }),
    onEnd,
  });
}

function openEvents(
  deps: StreamDeps,
  run: MessageRun,
  reading: Reading,
  begun: Beginning,
  controller: AbortController,
): Readable {
  let { first, waiting } = begun;
  let code: string | undefined;
  const endEarly = (error: GatewayError) => {
    events.fail(error);
    controller.abort(error);
  };
  const unwatch = watchKey(deps, run, reading.route, endEarly);
  const cancelLongest = run.limitDuration(endEarly);

  const events = createEventStream({
    clock: deps.clock,
    isLate: first === undefined,
    async next() {
      if (first) {
        const batch = first;
        first = undefined;
        return batch;
      }
      const next = waiting ?? reading.next();
      waiting = undefined;
      return next;
    },
    onError(error) {
      code = codeOf(error);
      return run.lastEvent(error, reading.route);
    },
    onEnd(how) {
      unwatch();
      cancelLongest();
      if (how === 'closed') {
        code ??= 'caller_left';
        controller.abort(new Error('the caller left'));
      }
      reading.stop();
      run.settle(reading, reading.meter.isComplete ? undefined : code);
    },
  });
  return events.stream;
}
