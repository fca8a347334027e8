import { pick } from './random';

// Colours of a landscape, from the sky down to the nearest ground. The seed chooses one.

export interface Palette {
  readonly name: string;
  /** From the zenith to the horizon. */
  readonly sky: readonly [string, string, string, string];
  /** The sun or the moon, and the light around it. */
  readonly light: string;
  readonly glow: string;
  /** From the farthest ground to the nearest. */
  readonly ground: readonly [string, string, string, string, string];
  /** Sparks, stars and the bar next to the prompt. */
  readonly accent: string;
  readonly night: boolean;
}

const palettes: readonly [Palette, ...Palette[]] = [
  {
    name: 'dusk',
    sky: ['#1d1b4b', '#5b3a86', '#d9657b', '#ffc48a'],
    light: '#fff1cf',
    glow: '#ffb37a',
    ground: ['#a8567f', '#7d4079', '#552f6b', '#382358', '#1f1640'],
    accent: '#ffd08a',
    night: false,
  },
  {
    name: 'dawn',
    sky: ['#3d6fb6', '#86a9dc', '#f3c6c9', '#ffe9c7'],
    light: '#fffbe8',
    glow: '#ffe3a8',
    ground: ['#b7a7cf', '#8b8fc2', '#5f79ad', '#3b5d92', '#20406f'],
    accent: '#fff0b8',
    night: false,
  },
  {
    name: 'lagoon',
    sky: ['#0b4a6f', '#1d86a3', '#6fd0c4', '#e3f6cf'],
    light: '#fffde3',
    glow: '#d8ffd9',
    ground: ['#4db3ac', '#2c9399', '#1a7487', '#125570', '#0b3855'],
    accent: '#c9ffe5',
    night: false,
  },
  {
    name: 'ember',
    sky: ['#2a1030', '#7a1f3d', '#e0523d', '#ffb347'],
    light: '#fff0c2',
    glow: '#ff9a4d',
    ground: ['#b23b3f', '#8b2a41', '#64203f', '#421737', '#260e29'],
    accent: '#ffc46b',
    night: false,
  },
  {
    name: 'midnight',
    sky: ['#070b24', '#101c4a', '#24407a', '#4f78a8'],
    light: '#f4f7ff',
    glow: '#a9c8ff',
    ground: ['#2c4b7c', '#213a68', '#182c54', '#101e3f', '#0a132b'],
    accent: '#a8d5ff',
    night: true,
  },
  {
    name: 'aurora',
    sky: ['#04121f', '#06283a', '#0c4a55', '#1f7a70'],
    light: '#eafff6',
    glow: '#7dffcb',
    ground: ['#14545a', '#0f4450', '#0b3443', '#082535', '#051725'],
    accent: '#8dffd3',
    night: true,
  },
  {
    name: 'orchid',
    sky: ['#2b1055', '#6a3ba8', '#c77dd4', '#ffd6e8'],
    light: '#fff5fb',
    glow: '#ffc2ec',
    ground: ['#a066bf', '#7c4ca8', '#5b388e', '#3e2770', '#26184f'],
    accent: '#ffd1f0',
    night: false,
  },
];

export function pickPalette(random: () => number): Palette {
  return pick(random, palettes);
}

/** Returns a colour such as `#1d1b4b` with the given opacity. */
export function withAlpha(colour: string, alpha: number): string {
  const value = Number.parseInt(colour.slice(1), 16);
  return `rgba(${value >> 16}, ${(value >> 8) & 255}, ${value & 255}, ${alpha})`;
}
