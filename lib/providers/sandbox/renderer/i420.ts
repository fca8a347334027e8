// Converts pixels between the canvas (RGBA) and the codec (I420: a full luma plane and two quarter-size chroma planes,
// limited range 16–235). Done here because the encoder's own conversion from RGBA takes three times as long.

/** Red, green and blue in 256ths for each plane. */
export interface ColourMatrix {
  readonly name: 'bt709' | 'smpte170m';
  readonly luma: readonly [number, number, number];
  readonly u: readonly [number, number, number];
  readonly v: readonly [number, number, number];
  /** Back to RGB: v to red, u to green, v to green, u to blue, in 256ths. */
  readonly back: readonly [number, number, number, number];
}

const bt601: ColourMatrix = {
  name: 'smpte170m',
  luma: [66, 129, 25],
  u: [-38, -74, 112],
  v: [112, -94, -18],
  back: [409, -100, -208, 516],
};
const bt709: ColourMatrix = {
  name: 'bt709',
  luma: [47, 157, 16],
  u: [-26, -87, 112],
  v: [112, -102, -10],
  back: [459, -55, -136, 541],
};

/**
 * Returns the matrix that players assume without colour information: BT.709 from 720 lines on. Our files state it too.
 */
export function colourMatrixFor(height: number): ColourMatrix {
  return height >= 720 ? bt709 : bt601;
}

/** Returns the matrix that a file names, or else the one that players would assume. */
export function namedColourMatrix(name: string | null | undefined, height: number): ColourMatrix {
  if (name === 'bt709') return bt709;
  if (name === 'smpte170m' || name === 'bt470bg') return bt601;
  return colourMatrixFor(height);
}

/** Fills `i420` (width × height × 1.5 bytes) from opaque RGBA; width and height are even. */
export function writeI420(
  rgba: Uint8Array,
  width: number,
  height: number,
  matrix: ColourMatrix,
  i420: Uint8Array,
): void {
  const [yr, yg, yb] = matrix.luma;
  const [ur, ug, ub] = matrix.u;
  const [vr, vg, vb] = matrix.v;
  const stride = width * 4;
  let u = width * height;
  let v = u + (width >> 1) * (height >> 1);
  for (let row = 0; row < height; row += 2) {
    let upper = row * stride;
    let lower = upper + stride;
    let out = row * width;
    for (let column = 0; column < width; column += 2) {
      // Safe (each `!` here): the loops stay within width × height × 4 bytes, which the caller provides.
      const r0 = rgba[upper]!,
        g0 = rgba[upper + 1]!,
        b0 = rgba[upper + 2]!;
      const r1 = rgba[upper + 4]!,
        g1 = rgba[upper + 5]!,
        b1 = rgba[upper + 6]!;
      const r2 = rgba[lower]!,
        g2 = rgba[lower + 1]!,
        b2 = rgba[lower + 2]!;
      const r3 = rgba[lower + 4]!,
        g3 = rgba[lower + 5]!,
        b3 = rgba[lower + 6]!;
      i420[out] = ((yr * r0 + yg * g0 + yb * b0 + 128) >> 8) + 16;
      i420[out + 1] = ((yr * r1 + yg * g1 + yb * b1 + 128) >> 8) + 16;
      i420[out + width] = ((yr * r2 + yg * g2 + yb * b2 + 128) >> 8) + 16;
      i420[out + width + 1] = ((yr * r3 + yg * g3 + yb * b3 + 128) >> 8) + 16;
      const r = r0 + r1 + r2 + r3,
        g = g0 + g1 + g2 + g3,
        b = b0 + b1 + b2 + b3;
      i420[u++] = ((ur * r + ug * g + ub * b + 512) >> 10) + 128;
      i420[v++] = ((vr * r + vg * g + vb * b + 512) >> 10) + 128;
      upper += 8;
      lower += 8;
      out += 2;
    }
  }
}

/**
 * Fills `rgba` (width × height × 4 bytes, opaque) from a decoder's I420 picture. Its lines have the length of the coded
 * width: decoders return full blocks of 16, and pixels to the right of and below the picture are skipped.
 */
export function writeRgba(
  i420: Uint8Array,
  coded: { readonly width: number; readonly height: number },
  width: number,
  height: number,
  matrix: ColourMatrix,
  rgba: Uint8ClampedArray,
): void {
  const [vToRed, uToGreen, vToGreen, uToBlue] = matrix.back;
  const half = coded.width >> 1;
  const uStart = coded.width * coded.height;
  const vStart = uStart + half * (coded.height >> 1);
  let out = 0;
  for (let row = 0; row < height; row++) {
    const line = row * coded.width;
    const colourLine = (row >> 1) * half;
    for (let column = 0; column < width; column++) {
      // Safe: width and height do not exceed the coded size, which determines the picture's length.
      const y = 298 * (i420[line + column]! - 16) + 128;
      const u = i420[uStart + colourLine + (column >> 1)]! - 128;
      const v = i420[vStart + colourLine + (column >> 1)]! - 128;
      rgba[out] = (y + vToRed * v) >> 8;
      rgba[out + 1] = (y + uToGreen * u + vToGreen * v) >> 8;
      rgba[out + 2] = (y + uToBlue * u) >> 8;
      rgba[out + 3] = 255;
      out += 4;
    }
  }
}
