import type { Call } from '../../domain/call';
import { upstreamFailed } from '../../domain/errors';
import type { AnswerChunk } from '../../domain/messages';
import type { Answering } from '../credit/settle-message';
import type { MessageRun } from './message-run';

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
