import type { Gateway } from './gateway';

// One process has several copies of this module (the server, Next's instrumentation, its routes, its pages), which
// share only `globalThis`. So the gateway is composed once and passed on through this slot.

const slot = Symbol.for('gateway.runtime');
type Slots = { [slot]?: Gateway | undefined };

/** Makes the composed gateway available to every copy of this module in the process. `undefined` removes it (tests). */
export function installGateway(gateway: Gateway | undefined): void {
  (globalThis as Slots)[slot] = gateway;
}

/** Whether a gateway is installed in this process. */
export function hasGateway(): boolean {
  return (globalThis as Slots)[slot] !== undefined;
}

/**
 * Returns the gateway of this process. Call it inside a handler, never at module level: `next build` evaluates route
 * files.
 */
export function gateway(): Gateway {
  const installed = (globalThis as Slots)[slot];
  if (!installed) {
    throw new Error(
      'No gateway is installed in this process. Start it with "npm run dev", or call installGateway() in the test.',
    );
  }
  return installed;
}
