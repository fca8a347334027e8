import type { Readable } from 'node:stream';
import type { AnswerRelay, MessagesProvider, RelayedEvents } from '../../domain/messages';
import { PassingBody } from '../../io/relay-body';
import { watchKey, type BegunAnswer, type StreamDeps } from './event-answer';
import { createKeepAlive, type KeepAlive } from './keep-alive';
import { codeOf, type MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';
import { presentStart } from './present-bytes';

// A streamed answer that passes through in the provider's own bytes: one read is one write, without a promise, a timer
// or an object per event. Only the facts for billing are extracted.
//
//   waiting ── content, or the commit timeout ──▶ committed ── open() ──▶ streaming ── end or failure ──▶ over
//   waiting ── failure ──▶ rejected (failover is still possible)
//
// While `hold.cover()` reserves more credit (`isCovering`) the bytes are queued, in any of these states.

/** Like `beginEvents`, for a provider that relays bytes. */
export function beginRelay(
  deps: StreamDeps,
  run: MessageRun,
  by: Answering,
  relayed: NonNullable<MessagesProvider['relay']>,
  withinMs: number,
): Promise<BegunAnswer> {
  const { clock, log } = deps;
  const { hold, input, model } = run;
  const { hangUp } = input;
  const { route, meter } = by;

  return new Promise((resolve, reject) => {
    /** Bytes that wait until the stream is opened or credit is reserved. */
    let waiting: Buffer[] = [];
    let stream: PassingBody | undefined;
    let keepAlive: KeepAlive | undefined;
    let relay: AnswerRelay | undefined;
    let hasBegun = false;
    let hasStarted = false;
    let isCovering = false;
    /** Set when the provider's answer ended; `failure` is the error that interrupted it. */
    let end: { readonly failure?: unknown } | undefined;
    let isOver = false;
    let unwatch = () => {};
    let cancelLongest = () => {};

    const onDisconnect = () => fail(hangUp.signal.reason);
    let unfollow = () => {};
    const cancelLate = clock.after(Math.max(0, withinMs), begin);

    function begin(): void {
      if (hasBegun) return;
      hasBegun = true;
      cancelLate();
      unfollow();
      resolve({ open });
    }

    function take(events: RelayedEvents): void {
      meter.observeRelayed(events);
      const first = events.events[0];
      const isStart = first?.type === 'message_start';
      if (isStart) hasStarted = true;
      const bytes = isStart ? presentStart(events.bytes, first.message, model.id) : events.bytes;
      if (meter.hasSaid) run.recordFirstToken();
      if (!isCovering && !hold.covers(meter.outputTokens())) cover();
      if (stream && !isCovering) {
        keepAlive?.touch();
        if (!stream.pass(bytes)) relay?.pause();
      } else {
        waiting.push(bytes);
        if (meter.hasSaid && !isCovering) begin();
      }
    }

    /** Reserves more credit. Nothing more is delivered until it is reserved. */
    function cover(): void {
      isCovering = true;
      relay?.pause();
      hold.cover(meter.outputTokens()).then(
        () => {
          isCovering = false;
          if (meter.hasSaid) begin();
          deliver();
          if (!end) relay?.resume();
        },
        (error: unknown) => {
          isCovering = false;
          waiting = [];
          end = undefined;
          fail(error);
        },
      );
    }

    function deliver(): void {
      if (!stream || isCovering) return;
      if (waiting.length > 0) {
        const bytes = waiting.length === 1 ? waiting[0] : Buffer.concat(waiting);
        waiting = [];
        keepAlive?.touch();
        stream.push(bytes);
      }
      if (!end) return;
      if (end.failure !== undefined) stream.push(run.lastEvent(end.failure, route));
      over('finished');
      stream.push(null);
    }

    function fail(error: unknown): void {
      if (end || isOver) return;
      relay?.stop();
      if (hasBegun) {
        end = { failure: error };
        deliver();
        return;
      }
      hasBegun = true;
      cancelLate();
      unfollow();
      reject(error);
    }

    function over(how: 'finished' | 'closed'): void {
      if (isOver) return;
      isOver = true;
      keepAlive?.stop();
      unwatch();
      cancelLongest();
      relay?.stop();
      const code = how === 'closed' ? 'caller_left' : end?.failure === undefined ? undefined : codeOf(end.failure);
      run.settle(by, meter.isComplete ? undefined : code);
    }

    function open(): Readable {
      stream = new PassingBody(
        () => {
          if (!isCovering) relay?.resume();
        },
        () => over('closed'),
      );
      keepAlive = createKeepAlive(clock, stream, () => hasStarted);
      if (waiting.length === 0 && !end) keepAlive.ping();
      unwatch = watchKey(deps, run, route, fail);
      cancelLongest = run.limitDuration(fail);
      deliver();
      return stream;
    }

    if (hangUp.happened) return onDisconnect();
    unfollow = hangUp.follow(onDisconnect);
    relay = relayed(
      run.requestFor(route),
      route.binding,
      { log },
      {
        take,
        end() {
          end ??= {};
          begin();
          deliver();
        },
        fail,
      },
    );
  });
}
