import { upstreamFailed } from '../../../domain/errors';
import type { MessageEvent } from '../../../domain/messages';
import { createSseReader, SseOverflow, type SseEvent } from '../../../io/sse';
import type { AnswerDecoder, DecodedChunk } from './message-stream';

// Decodes an upstream's stream into well-formed message events: parses the server-sent events and translates them.

/** Translates the upstream's events into well-formed message events. */
export interface AnswerTranslator {
  /**
   * Takes one event as the upstream sent it. Throws a GatewayError for an upstream error and for an event that cannot
   * be repaired.
   */
  push(event: unknown): void;
  /** Called when the upstream has sent `[DONE]`. */
  done(): void;
  /** Called when the upstream has closed the stream. Throws if the answer is incomplete. */
  end(): void;
  /** Returns the events since the last call. */
  take(): MessageEvent[];
  /** Whether the stop reason is known: later errors do not concern the client. */
  readonly isComplete: boolean;
  readonly isEnded: boolean;
}

export function createEventDecoder(translator: AnswerTranslator): AnswerDecoder {
  const reader = createSseReader();

  function decode(read: () => readonly SseEvent[]): DecodedChunk {
    let isProgress = false;
    try {
      for (const event of read()) {
        if (isModelOutput(event)) isProgress = true;
        pushEvent(translator, event);
      }
    } catch (error) {
      const failure =
        error instanceof SseOverflow ? upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, error.message) : error;
      return { events: translator.take(), isProgress, failure };
    }
    return { events: translator.take(), isProgress };
  }

  return {
    push: (bytes) => decode(() => reader.push(bytes)),
    flush: () => decode(() => reader.end()),
    finish() {
      translator.end();
      return { events: translator.take() };
    },
    get isComplete() {
      return translator.isComplete;
    },
    get isEnded() {
      return translator.isEnded;
    },
  };
}

function pushEvent(translator: AnswerTranslator, { name, data }: SseEvent): void {
  if (data === '[DONE]') return translator.done();
  if (name === 'done' || data === '') return;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'An event is not JSON.');
  }
  translator.push(event);
}

/** Returns whether an event is output of the model: a ping proves only that the connection works. */
function isModelOutput({ name, data }: SseEvent): boolean {
  return name !== 'ping' && !/^\{\s*"type"\s*:\s*"ping"/.test(data);
}
