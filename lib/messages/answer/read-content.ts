import type { MessageContentJson } from '../../contract/requests';
import type { Database } from '../../db/database';
import { findContent } from '../../db/kept-contents';
import { findMessage } from '../../db/messages';
import { unixSeconds, type Clock } from '../../domain/clock';
import { GatewayError } from '../../domain/errors';
import type { OrgId } from '../../domain/ids';
import type { MessageEvent } from '../../domain/messages';
import { createSseReader } from '../../io/sse';
import { createCollector } from './collect';

/**
 * Reads a conversation that the organisation keeps. Rejects with `message_not_found`, even if nothing is kept of it.
 */
export function createReadContent({ db, clock }: { readonly db: Database; readonly clock: Clock }) {
  return async function readContent(orgId: OrgId, id: string): Promise<MessageContentJson> {
    const found = id.includes('\0') ? undefined : await findMessage(db, orgId, id);
    if (!found) throw new GatewayError('message_not_found', 'There is no message with this id in your organisation.');
    const kept = await findContent(db, 'message', orgId, id, clock.now());
    if (!kept)
      throw new GatewayError(
        'message_not_found',
        'The conversation of this message is not kept. An owner or admin can have conversations kept in the settings of the organisation.',
      );
    return {
      id,
      object: 'message_content',
      // Safe: only a body that could be parsed becomes a message.
      request: kept.request === null ? null : (JSON.parse(kept.request) as Record<string, unknown>),
      answer: kept.answer === null ? null : answerOf(kept.answer, found.model),
      expires_at: unixSeconds(kept.expiresAt),
    };
  };
}

/** Parses the message from an answer as it was sent; of an answer that was cut off, the part that was sent. */
function answerOf(text: string, modelId: string): Record<string, unknown> | null {
  // Safe: the gateway sent it.
  if (text.startsWith('{')) return JSON.parse(text) as Record<string, unknown>;
  const reader = createSseReader();
  const collector = createCollector();
  let hasStarted = false;
  for (const { data } of [...reader.push(Buffer.from(text)), ...reader.end()]) {
    const event = JSON.parse(data) as MessageEvent;
    hasStarted ||= event.type === 'message_start';
    collector.add(event);
  }
  return hasStarted ? { ...collector.message(modelId) } : null;
}
