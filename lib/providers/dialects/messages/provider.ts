import { upstreamFailed } from '../../../domain/errors';
import type { MessagesProvider } from '../../../domain/messages';
import { readText } from '../../kit/http/http';
import { createEventDecoder } from '../../kit/messages/event-decoder';
import { createMessageStream } from '../../kit/messages/message-stream';
import {
  readRefusal,
  upstreamRequest,
  type UpstreamDeps,
  type WriteRequest,
} from '../../kit/messages/upstream-request';
import { createBufferedMessage } from './buffered';
import { createEventNormalizer, type EventNormalizerOptions } from './event-normalizer';
import { createStreamInspector } from './stream-inspector';

// A provider whose upstream speaks the messages dialect. The vendor and its imitators differ in how the request is
// written (`native-request.ts`, `compatible-request.ts`) and in whether the answer is passed on in its own bytes.

export interface MessagesDialect extends UpstreamDeps {
  readonly write: WriteRequest;
  /**
   * Writes a request for a non-streaming answer. Present for an upstream whose answers are passed on as bytes, streamed
   * or not. Absent: all answers are read as streams and normalized.
   */
  readonly writeBuffered?: WriteRequest;
  readonly answer: Pick<EventNormalizerOptions, 'native' | 'sign' | 'packToolId'>;
  /** Absent: all fields are sent. */
  readonly ignoredParams?: NonNullable<MessagesProvider['ignoredParams']>;
  /** Absent: the upstream has no token counter. */
  readonly count?: { readonly path: string; readonly write: WriteRequest };
}

/** Short, because client tools count often and the local estimate is available. */
const COUNT_MS = 3_000;
const MAX_COUNT_BYTES = 64 * 1024;

export function createMessagesProvider(dialect: MessagesDialect): MessagesProvider {
  const { writeBuffered, answer, statusOfCode, ignoredParams, count } = dialect;
  return {
    ...(answer.native && { native: true }),
    stream: createMessageStream({
      ...dialect,
      write: (request, binding, withoutThinking) => ({
        decode: () =>
          // An answer that will be collected needs every event.
          writeBuffered && request.body.stream === true
            ? createStreamInspector()
            : createEventDecoder(
                createEventNormalizer({
                  ...answer,
                  messageId: request.messageId,
                  modelName: binding.modelName,
                  estimatedInputTokens: request.estimatedInputTokens,
                  ...(statusOfCode && { statusOfCode }),
                }),
              ),
        ...dialect.write(request, binding, withoutThinking),
      }),
    }),
    ...(writeBuffered && { complete: createBufferedMessage({ ...dialect, write: writeBuffered }) }),
    ...(ignoredParams && { ignoredParams }),
    ...(count && { countTokens: createTokenCount(dialect, count) }),
  };
}

function createTokenCount(
  dialect: MessagesDialect,
  { path, write }: NonNullable<MessagesDialect['count']>,
): NonNullable<MessagesProvider['countTokens']> {
  return async (request, binding, call) => {
    const question = upstreamRequest({ ...dialect, path }, write(request, binding, false), COUNT_MS, call);
    const answer = await dialect.upstream.send(question);
    if (answer.status !== 200) throw await readRefusal(answer, dialect, call);
    return parseCount(await readText(answer.body, MAX_COUNT_BYTES));
  };
}

function parseCount(text: string): number {
  try {
    const value: unknown = JSON.parse(text);
    const tokens =
      typeof value === 'object' && value !== null && 'input_tokens' in value ? value.input_tokens : undefined;
    if (typeof tokens === 'number' && Number.isInteger(tokens) && tokens >= 0) return tokens;
  } catch {
    // An answer that is not JSON is handled like any other answer without a count.
  }
  throw upstreamFailed({ retry: 'later', started: 'no' }, 'The count is not a number.');
}
