import { upstreamFailed } from '../../../domain/errors';
import type { MessagesProvider } from '../../../domain/messages';
import type { OpenAnswer } from '../../kit/http/http';
import {
  isThinkingRefused,
  headersFor,
  HEADERS_MS,
  isStream,
  MAX_ERROR_BYTES,
  quietMsOf,
  refusalOf,
} from '../../kit/messages/message-stream';
import type { DialectRequestDeps } from './dialect-request';
import { createStreamInspector, type InspectedEvents } from './stream-inspector';

// Relays a stream of the vendor in the vendor's own bytes, one write per read. It is inspected for billing and for its
// proper end; a stream that breaks off is never completed artificially.

/** After its last event an upstream should close immediately; otherwise it is cut off. */
const DRAIN_TIMEOUT_MS = 1_000;
const STOP_EVENT = Buffer.from('event: message_stop\ndata: {"type":"message_stop"}\n\n');

export function createMessageRelay(deps: DialectRequestDeps): NonNullable<MessagesProvider['relay']> {
  const { upstream, clock, path, credentials } = deps;

  return (request, binding, call, sink) => {
    const quietMs = quietMsOf(request);
    let open: OpenAnswer | undefined;
    let isPaused = false;
    let isOver = false;
    let cancelTimer = () => {};

    function over(): void {
      isOver = true;
      cancelTimer();
    }

    function fail(error: unknown): void {
      if (isOver) return;
      over();
      open?.stop();
      sink.fail(error);
    }

    function ask(withoutThinking: boolean): void {
      const inspector = createStreamInspector();
      const refused: Buffer[] = [];
      let refusedBytes = 0;
      let head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
      let isRefusal = false;
      let progressAtMs = 0;

      /** Measures only the time that we wait, not the time that a slow client takes. */
      function watchSilence(ms: number): void {
        cancelTimer = clock.after(ms, () => {
          if (isPaused) progressAtMs = clock.nowMs();
          const leftMs = progressAtMs + quietMs - clock.nowMs();
          if (leftMs > 0) watchSilence(leftMs);
          else
            fail(
              upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, `Silent for ${quietMs} ms.`, 'upstream_timeout'),
            );
        });
      }

      function pass(scanned: InspectedEvents | undefined): void {
        if (!scanned) return;
        if (scanned.isProgress) progressAtMs = clock.nowMs();
        if (scanned.bytes.length > 0) sink.take(scanned);
        if (scanned.failure !== undefined && !isOver) {
          // The answer is complete; later errors do not concern the client.
          if (inspector.isComplete) complete();
          else fail(scanned.failure);
        } else if (inspector.isEnded && !isOver) {
          over();
          cancelTimer = clock.after(DRAIN_TIMEOUT_MS, () => open?.stop());
          sink.end();
        }
      }

      function complete(): void {
        over();
        open?.stop();
        sink.take({ bytes: STOP_EVENT, events: [{ type: 'message_stop' }], letters: 0 });
        sink.end();
      }

      function refuse(): void {
        // Safe: called after the headers.
        const error = refusalOf(head!, Buffer.concat(refused).subarray(0, MAX_ERROR_BYTES).toString('utf8'), deps);
        if (withoutThinking || !isThinkingRefused(error, request, binding)) return fail(error);
        call.log.info('thinking of earlier turns were refused and are left out');
        open?.stop();
        ask(true);
      }

      const { headers, body } = deps.write(request, binding, withoutThinking);
      open = upstream.open(
        { method: 'POST', path, headers: headersFor(headers, credentials), body, headersMs: HEADERS_MS },
        {
          onHeaders(status, received) {
            head = { status, headers: received };
            isRefusal = !isStream(head);
            progressAtMs = clock.nowMs();
            watchSilence(quietMs);
          },
          onChunk(chunk) {
            if (isOver) return;
            if (!isRefusal) return pass(inspector.push(chunk));
            refused.push(chunk);
            refusedBytes += chunk.length;
            if (refusedBytes >= MAX_ERROR_BYTES) refuse();
          },
          onEnd() {
            cancelTimer();
            if (isOver) return;
            if (isRefusal) return refuse();
            pass(inspector.end());
            if (isOver) return;
            if (inspector.isComplete) complete();
            else fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'The stream ended before its stop reason.'));
          },
          onError(error) {
            cancelTimer();
            if (isOver) return;
            if (isRefusal) refuse();
            else if (inspector.isComplete) complete();
            else fail(error);
          },
        },
      );
      if (isPaused) open.pause();
    }

    ask(false);
    return {
      pause() {
        isPaused = true;
        open?.pause();
      },
      resume() {
        if (!isPaused) return;
        isPaused = false;
        open?.resume();
      },
      stop() {
        if (isOver) return;
        over();
        open?.stop();
      },
    };
  };
}
