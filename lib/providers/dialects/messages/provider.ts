import { upstreamFailed } from '../../../domain/errors';
import type { MessagesBinding, MessagesProvider, MessagesRequest } from '../../../domain/messages';
import { readText } from '../../kit/http/http';
import { askUpstream, createMessageStream, readRefusal } from '../../kit/messages/message-stream';
import type { DialectRequest, DialectRequestDeps } from './dialect-request';
import { createMessageRelay } from './relay';
import { createEventNormalizer, type EventNormalizerOptions } from './event-normalizer';
import { createBufferedMessage } from './buffered';

// A provider whose upstream speaks the messages dialect. The vendor and its imitators differ in how the request is
// written (`native-request.ts`, `compatible-request.ts`); the answer is read in the same way.

export interface MessagesDialect extends DialectRequestDeps {
  /**
   * Writes a request for a non-streaming answer, which is passed through as bytes. Absent: all answers are read as
   * streams and normalized.
   */
  writeBuffered?(request: MessagesRequest, binding: MessagesBinding, withoutThinking: boolean): DialectRequest;
  readonly answer: Pick<EventNormalizerOptions, 'native' | 'sign' | 'packToolId'>;
  /** Absent: all fields are sent. */
  readonly ignoredParams?: NonNullable<MessagesProvider['ignoredParams']>;
  /** Absent: the upstream has no token counter. */
  readonly count?: { readonly path: string; write(request: MessagesRequest, binding: MessagesBinding): DialectRequest };
}

/** Short, because client tools count often and the local estimate is available. */
const COUNT_MS = 3_000;
const MAX_COUNT_BYTES = 64 * 1024;

export function createMessagesProvider(dialect: MessagesDialect): MessagesProvider {
  const { count } = dialect;
  const stream = createMessageStream({
    ...dialect,
    write: (request, binding, withoutThinking) => ({
      ...dialect.write(request, binding, withoutThinking),
      translate: () =>
        createEventNormalizer({
          ...dialect.answer,
          messageId: request.messageId,
          modelName: binding.modelName,
          estimatedInputTokens: request.estimatedInputTokens,
          ...(dialect.statusOfCode && { statusOfCode: dialect.statusOfCode }),
        }),
    }),
  });
  const native = {
    ...(dialect.answer.native && { native: true as const }),
    ...(dialect.writeBuffered && {
      complete: createBufferedMessage({ ...dialect, write: dialect.writeBuffered }),
      relay: createMessageRelay(dialect),
    }),
  };
  const ignored = dialect.ignoredParams ? { ignoredParams: dialect.ignoredParams } : {};
  if (!count) return { ...native, ...ignored, stream };
  return {
    ...native,
    ...ignored,
    stream,
    async countTokens(request, binding, call) {
      const answer = await askUpstream(dialect, count.path, count.write(request, binding), COUNT_MS, call);
      if (answer.status !== 200) throw await readRefusal(answer, dialect, call);
      return parseCount(await readText(answer.body, MAX_COUNT_BYTES));
    },
  };
}

function parseCount(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    const tokens =
      typeof value === 'object' && value !== null && 'input_tokens' in value ? value.input_tokens : undefined;
    if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0) return tokens;
  } catch {
    // Handled like any other answer without a count.
  }
  throw upstreamFailed({ retry: 'later', started: 'no' }, 'The count is not a number.');
}
