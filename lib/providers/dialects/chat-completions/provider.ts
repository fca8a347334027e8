import type { Clock } from '../../../domain/clock';
import type { MessagesBinding, MessagesProvider, ThinkingSigner } from '../../../domain/messages';
import type { Upstream } from '../../kit/http/http';
import type { ImageReader } from '../../kit/messages/inline-images';
import { inlineImages } from '../../kit/messages/inline-images';
import { createEventDecoder } from '../../kit/messages/event-decoder';
import { createMessageStream } from '../../kit/messages/message-stream';
import { chatRequest, chatRules, type ChatFacts } from './request';
import { createChatTranslator } from './translator';

// Answers messages through an upstream that speaks chat completions.

export interface ChatDialect {
  readonly upstream: Upstream;
  readonly clock: Clock;
  /** Path below the upstream's base URL. */
  readonly path: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly facts: (binding: MessagesBinding) => ChatFacts;
  readonly thinkingSigner: ThinkingSigner;
  /** For upstreams that accept images only in base64; absent: they fetch URLs themselves. */
  readonly media?: ImageReader;
  /** Absent: the model name of the binding. */
  readonly modelName?: string;
}

export function createChatProvider(dialect: ChatDialect): MessagesProvider {
  const { media } = dialect;
  return {
    ignoredParams: chatRules(dialect.facts).ignoredParams,
    stream: createMessageStream({
      upstream: dialect.upstream,
      clock: dialect.clock,
      path: dialect.path,
      credentials: dialect.credentials,
      ...(media && {
        prepare: async (request, call) => ({ ...request, body: await inlineImages(request.body, media, call) }),
      }),
      write(request, given, withoutThinking) {
        const binding = dialect.modelName === undefined ? given : { ...given, modelName: dialect.modelName };
        const facts = dialect.facts(binding);
        const { body, names } = chatRequest(
          request.body,
          binding,
          facts,
          withoutThinking ? undefined : dialect.thinkingSigner,
        );
        return {
          headers: {},
          body,
          decode: () =>
            createEventDecoder(
              createChatTranslator({
                messageId: request.messageId,
                modelName: binding.modelName,
                estimatedInputTokens: request.estimatedInputTokens,
                fullToolName: (name) => names.full(name),
                sign: (thinking, original) => dialect.thinkingSigner.sign(facts.providerId, thinking, original),
              }),
            ),
        };
      },
    }),
  };
}
