import type { MessageContentJson } from '../../contract/requests';
import type { Database } from '../../db/database';
import { findMessageContent, insertMessageContent } from '../../db/message-contents';
import { findMessage } from '../../db/messages';
import { unixSeconds, type Clock } from '../../domain/clock';
import { errorForLog, GatewayError } from '../../domain/errors';
import type { OrgId } from '../../domain/ids';
import type { Log } from '../../domain/log';
import type { MessageEvent } from '../../domain/messages';
import { createSseReader } from '../../io/sse';
import { createCollector } from '../answer/collect';
import { MAX_KEPT_BYTES } from './content-recorder';

// The conversations that an organisation keeps, with the setting `keep_messages_days`. They are written after the
// answer, beside the row of the message: an answer never waits for them, and one that cannot be written is lost.

export interface MessageContents {
  /** Stores a conversation in the background. */
  keep(message: KeptMessage): void;
  /** Resolves when everything is written that was to be kept until now. */
  settled(): Promise<void>;
  /** Rejects with `message_not_found`, also if nothing is kept of the message. */
  read(orgId: OrgId, id: string): Promise<MessageContentJson>;
}

export interface KeptMessage {
  readonly id: string;
  readonly orgId: OrgId;
  /** From now. */
  readonly days: number;
  /** The body of the request. */
  readonly source: Uint8Array;
  /** `ContentRecorder.text`. */
  readonly answer: string | null;
}

const DAY_MS = 24 * 60 * 60_000;
/** While the database does not respond, no more than this waits in memory. */
const MAX_WAITING = 100;

export function createMessageContents({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}): MessageContents {
  const waiting = new Set<Promise<void>>();

  async function write({ id, orgId, days, source, answer }: KeptMessage): Promise<void> {
    try {
      await insertMessageContent(db, {
        messageId: id,
        orgId,
        request: source.length > MAX_KEPT_BYTES ? null : storable(Buffer.from(source).toString()),
        answer: answer === null ? null : storable(answer),
        expiresAt: new Date(clock.nowMs() + days * DAY_MS),
      });
    } catch (error) {
      log.warn('a conversation could not be kept', { orgId, error: errorForLog(error) });
    }
  }

  return {
    keep(message) {
      if (waiting.size >= MAX_WAITING) {
        log.warn('a conversation could not be kept', { orgId: message.orgId, code: 'too_many' });
        return;
      }
      const writing = write(message).finally(() => waiting.delete(writing));
      waiting.add(writing);
    },

    async settled() {
      await Promise.all(waiting);
    },

    async read(orgId, id) {
      const found = id.includes('\0') ? undefined : await findMessage(db, orgId, id);
      if (!found) throw new GatewayError('message_not_found', 'There is no message with this id in your organisation.');
      const kept = await findMessageContent(db, orgId, id, clock.now());
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
    },
  };
}

/** Postgres stores every character but this one, which no JSON contains. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}

/** The message in an answer as it was sent; as much of it as there is, if it was cut off. */
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
