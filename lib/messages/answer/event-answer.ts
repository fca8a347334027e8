import type { Readable } from 'node:stream';
import type { KeyRevocationWatch } from '../../accounts/key-revocation-watch';
import type { Cancel, Clock } from '../../domain/clock';
import type { GatewayError } from '../../domain/errors';
import type { Log } from '../../domain/log';
import type { Route } from '../../routing/route';
import { createEventStream } from './event-stream';
import { codeOf, type MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';
import { readAnswer, type Batch, type Reading } from './read-answer';

// A streamed answer whose events the provider adapter parses, repairs or translates, and which we serialize again.

export interface StreamDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly keyRevocations: KeyRevocationWatch;
}

/** An answer whose first content has arrived, or that was committed without content after the commit timeout. */
export interface BegunAnswer {
  /** Returns the event stream. Call it once. */
  open(): Readable;
}

/**
 * Reads until the first content has arrived, or for `withinMs`. Rejects with the provider's error; the upstream request
 * has then stopped.
 */
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
  /** All batches so far, joined. */
  readonly first: Batch | undefined;
  /** The pending read, if the commit timeout elapsed during it. */
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
        // The stream awaits this promise again later. Until then a rejection must not count as unhandled.
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

/** Calls `onEnd` when the client's API key no longer allows this stream. Returns a function that stops watching. */
export function watchKey(
  { keyRevocations }: Pick<StreamDeps, 'keyRevocations'>,
  { caller, model }: MessageRun,
  { binding }: Route<'messages'>,
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
