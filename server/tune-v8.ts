import { setFlagsFromString } from 'node:v8';

/** Sets V8 options for a gateway's load. Called before the gateway is composed, when modules are already loaded. */
export function tuneV8(): void {
  // Inlines more functions. The request path has many short ones, and the calls between them took a tenth of the
  // processor time of a message.
  setFlagsFromString('--max-inlined-bytecode-size=1000');
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=3000');
  // Collects old objects when the old space has grown by half. By default V8 counts the short-lived socket buffers as
  // growth; with a few hundred sockets it marks the whole heap every second, about 50 ms each time, and frees almost
  // nothing.
  setFlagsFromString('--heap-growing-percent=50');
}
