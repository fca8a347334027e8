/** Converts samples from -1 to 1 to 16-bit samples. Louder samples are clipped. */
export function toInt16(samples: Float32Array): Int16Array<ArrayBuffer> {
  return Int16Array.from(samples, (sample) => Math.max(-0x8000, Math.min(0x7fff, Math.round(sample * 0x8000))));
}

/** Concatenates the pieces. */
export function joined(pieces: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const whole = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
