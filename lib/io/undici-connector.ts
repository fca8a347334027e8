import type { Duplex } from 'node:stream';
import { buildConnector } from 'undici';

/** The parts of undici's parser of a connection that are used here. */
interface Parser {
  paused: boolean;
  /** Parses what the socket still holds. */
  resume(): void;
  readonly llhttp: { llhttp_resume(pointer: number): void };
  readonly ptr: number;
}

/**
 * How long one of several addresses of a host is tried before the next: a far round trip, or the repetition of a lost
 * packet after a second. With the default of 250 ms, a far host is never reached from a machine without IPv6: it gives
 * up its IPv4 address, and the other one fails.
 */
const ATTEMPT_TIMEOUT_MS = 1_500;

/**
 * Makes the connections of every HTTP client. With undici's own connector, a server can end this process: if it closes
 * the connection while its response is paused, because the reader is slow, an assertion fails in an event handler
 * (nodejs/undici#5360, in all versions before 8, which needs Node 22). Here the pause ends first, as in undici 8. This
 * holds nothing more in memory: a socket ends only after all of its bytes were read.
 */
export function createConnector(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS, ...options });
  return (request, done) =>
    connect(request, (...outcome) => {
      const [, socket] = outcome;
      // Added here so that it runs before undici's own listener, which is added after this function returns the
      // connection.
      socket?.on('end', () => readPaused(socket));
      done(...outcome);
    });
}

function readPaused(socket: Duplex): void {
  const parser = parserOf(socket);
  if (!parser?.paused) return;
  // A message whose length is known is complete after this; one that ends with the connection pauses once more, for no
  // bytes, because its reader is still behind.
  parser.resume();
  if (!parser.paused || socket.destroyed) return;
  parser.llhttp.llhttp_resume(parser.ptr);
  parser.paused = false;
}

function parserOf(socket: Duplex): Parser | undefined {
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  // Safe: undici keeps its parser under a symbol of this name; `undici-connector.test.ts` fails if it does not.
  return key && ((socket as unknown as Record<symbol, Parser | null>)[key] ?? undefined);
}
