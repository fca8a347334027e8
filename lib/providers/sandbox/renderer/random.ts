// The same order gives the same video: everything that varies derives from a seed, never from the machine.

/** Returns a generator of numbers in [0, 1) that is determined by the text. */
export function createRandom(seed: string): () => number {
  // FNV-1a spreads the text over 32 bits; the multiply-xor-shift steps below then decorrelate neighbouring states.
  let state = 0x811c9dc5;
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 0x01000193);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  };
}

/** Picks one of the choices by the next number of `random`. */
export function pick<T>(random: () => number, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(random() * choices.length)] ?? choices[0];
}
