import { upstreamFailed } from '../../domain/errors';
import type { Log } from '../../domain/log';
import type { MessageEvent } from '../../domain/messages';
import type { MessagesModel } from '../../domain/model';
import type { MessageRun } from './message-run';
import type { Answering } from '../credit/settle-message';

// Reads one provider's answer event by event: counts its tokens, reserves credit for them and sets the catalog's model
// name.

export type Batch = readonly [MessageEvent, ...MessageEvent[]];

export interface Reading extends Answering {
  /** Undefined at the end. Rejects with the provider's error, or with the ledger's error when the credit runs out. */
  next(): Promise<Batch | undefined>;
  stop(): void;
}

export function readAnswer(run: MessageRun, { route, meter }: Answering, signal: AbortSignal, log: Log): Reading {
  const { hold, model } = run;
  const events = route.provider.stream(run.requestFor(route), route.binding, { signal, log })[Symbol.asyncIterator]();
  return {
    route,
    meter,
    async next() {
      const result = await events.next();
      if (result.done) {
        if (!meter.isComplete)
          throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'The answer ended before its last event.');
        return undefined;
      }
      for (const event of result.value) meter.observe(event);
      if (meter.hasSaid) run.recordFirstToken();
      if (!hold.covers(meter.outputTokens())) await hold.cover(meter.outputTokens());
      return presented(result.value, model);
    },
    // Closes the upstream request; its result no longer matters.
    stop: () => void events.return?.().then(undefined, () => {}),
  };
}

/** Sets the catalog's model name and removes fields that are only for the gateway. */
function presented(batch: Batch, model: MessagesModel): Batch {
  const changes = batch.some(
    (event) =>
      (event.type === 'message_start' && event.message.model !== model.id) ||
      (event.type === 'message_delta' && event.usage.estimated),
  );
  if (!changes) return batch;
  // Safe: as many events as before.
  return batch.map((event): MessageEvent => {
    if (event.type === 'message_start') return { ...event, message: { ...event.message, model: model.id } };
    if (event.type !== 'message_delta') return event;
    const { estimated: _ours, ...usage } = event.usage;
    return { ...event, usage };
  }) as unknown as Batch;
}
