import type { Readable } from 'node:stream';
import type { KeyRevocationWatch } from '../../accounts/key-revocation-watch';
import type { Call } from '../../domain/call';
import type { Cancel, Clock } from '../../domain/clock';
import { codeOf, upstreamFailed } from '../../domain/errors';
import type { Log } from '../../domain/log';
import type { AnswerChunk } from '../../domain/messages';
import { RelayBody } from '../../io/relay-body';
import type { Answering } from '../credit/rolling-hold';
import type { MessageRun } from './message-run';
import { presentChunk } from './present-answer';

// Sends one provider's answer to the client as server-sent events. One upstream read is one write. While the client
// reads slowly nothing is read from the provider, so slow clients cost no memory.
//
//   waiting ──first content, or the commit timeout──▶ committed ──open──▶ streaming ──last event──▶ ended
//      │                                                                      │
//      ├──error: nothing was sent, failover is possible──▶ ended              ├──error: sent as the last event──▶ ended
//      └──disconnect──▶ ended                                                 └──disconnect──▶ ended
//
// A short answer is often complete when it is committed. It is sent with its length, and without a stream.
//
// In each state `readAnswer` may be covering: it reserves more credit, and delivers nothing until that is reserved.
// However the answer ends after it was opened, it is settled exactly once, in `#end`.

export interface StreamDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly keyRevocations: KeyRevocationWatch;
}

/** An answer that is committed: its first content has arrived, or the commit timeout has elapsed. */
export interface StreamedAnswer {
  /** Returns the event stream, or the bytes of all events if the last one has arrived. Call it once. */
  open(): Readable | Buffer;
}

/**
 * Resolves when the first content has arrived, or after `commitWithinMs`. Rejects with the provider's error, or with
 * the reason of the client's signal; the upstream request has then stopped.
 */
export function beginStreamedAnswer(
  deps: StreamDeps,
  run: MessageRun,
  by: Answering,
  commitWithinMs: number,
): Promise<StreamedAnswer> {
  return new Promise((resolve, reject) => {
    new AnswerStream(deps, run, by, { resolve, reject }).begin(commitWithinMs);
  });
}

interface Commitment {
  resolve(answer: StreamedAnswer): void;
  reject(error: unknown): void;
}

class AnswerStream implements StreamedAnswer {
  readonly #deps: StreamDeps;
  readonly #run: MessageRun;
  readonly #by: Answering;
  readonly #commitment: Commitment;
  #state: 'waiting' | 'committed' | 'streaming' | 'ended' = 'waiting';
  #cancelCommit: Cancel = nothing;
  /** What arrived before the stream was opened. */
  #early: Buffer[] = [];
  /** The last event is among what arrived early. The meter counts a chunk before there is credit to deliver it. */
  #isWhole = false;
  /** `message_start` is among what was delivered. */
  #hasStarted = false;
  #stream: RelayBody | undefined;
  #keepAlive: KeepAlive | undefined;
  #unwatchKey: Cancel = nothing;
  #cancelLimit: Cancel = nothing;
  /** Continues a reading that waits until the client takes more; absent while none waits. */
  #resume: (() => void) | undefined;

  constructor(deps: StreamDeps, run: MessageRun, by: Answering, commitment: Commitment) {
    this.#deps = deps;
    this.#run = run;
    this.#by = by;
    this.#commitment = commitment;
    run.content?.begin();
  }

  begin(commitWithinMs: number): void {
    this.#cancelCommit = this.#deps.clock.after(Math.max(0, commitWithinMs), () => this.#commit());
    void this.#read();
  }

  async #read(): Promise<void> {
    const { signal } = this.#run.input;
    try {
      signal.throwIfAborted();
      await readAnswer(this.#run, this.#by, { signal, log: this.#deps.log }, (chunk) => this.#deliver(chunk));
    } catch (error) {
      if (this.#state === 'committed') await this.#room();
      if (signal.aborted && this.#state === 'streaming') this.#stream?.destroy();
      else this.#fail(error);
    }
  }

  /** Returns a promise if no more may be delivered until it resolves. */
  #deliver(chunk: AnswerChunk): Promise<void> | undefined {
    if (this.#state === 'ended') return undefined;
    if (chunk.events[0]?.type === 'message_start') this.#hasStarted = true;
    const bytes = presentChunk(chunk, this.#run.model.id);
    this.#run.content?.add(bytes);
    if (!this.#stream) {
      this.#early.push(bytes);
      this.#isWhole = this.#by.meter.isComplete;
      if (!this.#by.meter.hasSaid) return undefined;
      this.#commit();
      return this.#room();
    }
    this.#keepAlive?.touch();
    const hasRoom = this.#stream.pass(bytes);
    if (this.#by.meter.isComplete) this.#finish();
    else if (!hasRoom) return this.#room();
    return undefined;
  }

  #room(): Promise<void> {
    return new Promise((resolve) => {
      this.#resume = resolve;
    });
  }

  /** Called for every chunk that the client takes. Resolving a promise a second time would cost more than the chunk. */
  #wake(): void {
    this.#resume?.();
    this.#resume = undefined;
  }

  #commit(): void {
    if (this.#state !== 'waiting') return;
    this.#state = 'committed';
    this.#cancelCommit();
    this.#commitment.resolve(this);
  }

  open(): Readable | Buffer {
    if (this.#isWhole) {
      this.#end(undefined);
      return Buffer.concat(this.#early);
    }
    const { clock, keyRevocations } = this.#deps;
    const { caller, model, hold } = this.#run;
    const { binding } = this.#by.route;
    const stream = new RelayBody(
      () => this.#wake(),
      () => this.#close(),
    );
    this.#stream = stream;
    this.#state = 'streaming';
    this.#keepAlive = createKeepAlive(clock, stream, () => this.#hasStarted);
    this.#unwatchKey = keyRevocations.watch(caller, {
      path: '/v1/messages',
      using: () => ({
        modelId: model.id,
        providerId: binding.providerId,
        price: { per: 'request', amount: hold.heldNanoUsd() },
      }),
      onEnd: (error) => this.#fail(error),
    });
    this.#cancelLimit = this.#run.limitDuration((error) => this.#fail(error));
    const [first, ...others] = this.#early;
    if (first) stream.pass(others.length === 0 ? first : Buffer.concat(this.#early));
    // The commit timeout elapsed without content: the client gets its first byte now.
    else this.#keepAlive.ping();
    this.#early = [];
    this.#wake();
    return stream;
  }

  /** `message_stop` is the last event, so the end of the stream goes out in the same write. */
  #finish(): void {
    this.#end(undefined);
    this.#stream?.push(null);
  }

  #fail(error: unknown): void {
    if (this.#state === 'ended') return;
    if (this.#state === 'waiting') {
      this.#state = 'ended';
      this.#cancelCommit();
      this.#commitment.reject(error);
    } else {
      this.#stream?.push(this.#run.lastEvent(error, this.#by.route));
      this.#end(codeOf(error));
      this.#stream?.push(null);
      this.#run.input.abort(error);
    }
  }

  /** The stream was destroyed, which also happens after its end. */
  #close(): void {
    if (this.#state === 'ended') return;
    this.#end('caller_left');
    this.#run.input.abort(new Error('the caller left'));
  }

  #end(code: string | undefined): void {
    this.#state = 'ended';
    this.#keepAlive?.stop();
    this.#unwatchKey();
    this.#cancelLimit();
    this.#run.settle(this.#by, code);
    this.#wake();
  }
}

function nothing(): void {}

/**
 * Reads one provider's streamed answer to its end, chunk by chunk: counts the tokens, reserves credit for them, then
 * passes the chunk to `deliver`, which returns a promise if no more may follow until that resolves.
 *
 * Rejects with the provider's error, with the reason of the call's signal, or with the ledger's error when the credit
 * runs out; the upstream request has then stopped.
 */
export async function readAnswer(
  run: MessageRun,
  { route, meter }: Answering,
  call: Call,
  deliver: (chunk: AnswerChunk) => Promise<void> | undefined,
): Promise<void> {
  const { hold } = run;
  const { orgId } = run.caller;
  for await (const chunk of route.provider.stream(run.requestFor(route), route.binding, { orgId, ...call })) {
    meter.observe(chunk);
    if (meter.hasSaid) run.recordFirstToken();
    if (!hold.covers(meter.outputTokens())) await hold.cover(meter.outputTokens());
    const room = deliver(chunk);
    if (room) await room;
    if (meter.isComplete) return;
  }
  throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The answer ended before its last event.');
}

// Clients and load balancers close silent connections, the strictest after 20 s. A stream without events for
// PING_AFTER_MS therefore sends a ping. `touch` runs for every event, so it only records the time.

const PING_AFTER_MS = 10_000;
const PING = 'event: ping\ndata: {"type": "ping"}\n\n';
/** A ping before `message_start` would violate the event order; an SSE comment keeps the connection open instead. */
const COMMENT = ': keepalive\n\n';

interface KeepAlive {
  /** Records that something was sent just now. */
  touch(): void;
  /** Sends a ping now, for a client that has waited long enough for its first byte. */
  ping(): void;
  stop(): void;
}

/** Starts immediately. `hasStarted` returns whether `message_start` was sent. */
function createKeepAlive(clock: Clock, stream: Readable, hasStarted: () => boolean): KeepAlive {
  let touchedAtMs = clock.nowMs();
  let cancel = watch(PING_AFTER_MS);

  function watch(ms: number) {
    return clock.after(ms, () => {
      const silentMs = clock.nowMs() - touchedAtMs;
      if (silentMs < PING_AFTER_MS) cancel = watch(PING_AFTER_MS - silentMs);
      else {
        ping();
        cancel = watch(PING_AFTER_MS);
      }
    });
  }

  function ping(): void {
    // If the client is not reading, events are already buffered and a ping would not help.
    if (stream.readableLength === 0) stream.push(hasStarted() ? PING : COMMENT);
    touchedAtMs = clock.nowMs();
  }

  return {
    touch() {
      touchedAtMs = clock.nowMs();
    },
    ping,
    stop: () => cancel(),
  };
}
