import { createCanvas } from '@napi-rs/canvas';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import type { Frame, Scene, Stage } from './frame';
import { createRandom, pick } from './random';
import { pickPalette, withAlpha } from './palette';
import type { Palette } from './palette';

// An animated landscape: a sky with its light, layers of ground or water that move at their own speeds, and sparks in
// the air. Static parts are painted once; each frame then costs a few fills.

interface Backdrop extends Scene {
  readonly palette: Palette;
}

type Motif = 'sea' | 'ridges';

export function createBackdrop(stage: Stage, seed: string): Backdrop {
  const random = createRandom(seed);
  const palette = pickPalette(random);
  const motif = pick<Motif>(random, ['sea', 'ridges']);
  const sun = {
    x: stage.width * (0.2 + random() * 0.6),
    y: stage.height * (motif === 'sea' ? 0.3 : 0.26),
    radius: (palette.night ? 46 : 74) * stage.unit,
  };
  const sky = paintSky(stage, palette);
  const light = paintLight(sun.radius, palette);
  const layers = createLayers(stage, motif, random);
  const sparks = createSparks(stage, palette, random);
  const ribbons = palette.night ? createRibbons(stage, palette, random) : undefined;

  return {
    palette,
    paint(brush, frame) {
      brush.globalAlpha = 1;
      brush.drawImage(sky, 0, 0);
      ribbons?.(brush, frame);
      const drift = (frame.progress - 0.5) * stage.width * 0.05;
      brush.drawImage(
        light,
        sun.x + drift - light.width / 2,
        sun.y - frame.progress * 18 * stage.unit - light.height / 2,
      );
      for (const [index, layer] of layers.entries()) {
        paintLayer(brush, stage, palette, layer, index, frame);
        if (motif === 'sea' && index === 0) paintReflection(brush, stage, palette, sun.x + drift, layer.base, frame);
      }
      sparks(brush, frame);
    },
  };
}

function paintSky(stage: Stage, palette: Palette): Canvas {
  const canvas = createCanvas(stage.width, stage.height);
  const brush = canvas.getContext('2d');
  const gradient = brush.createLinearGradient(0, 0, 0, stage.height * 0.82);
  for (const [index, colour] of palette.sky.entries()) gradient.addColorStop([0, 0.38, 0.76, 1][index] ?? 1, colour);
  brush.fillStyle = gradient;
  brush.fillRect(0, 0, stage.width, stage.height);
  return canvas;
}

function paintLight(radius: number, palette: Palette): Canvas {
  const side = Math.ceil(radius * (palette.night ? 7 : 10));
  const canvas = createCanvas(side, side);
  const brush = canvas.getContext('2d');
  const glow = brush.createRadialGradient(side / 2, side / 2, radius * 0.6, side / 2, side / 2, side / 2);
  glow.addColorStop(0, withAlpha(palette.glow, 0.75));
  glow.addColorStop(0.25, withAlpha(palette.glow, 0.28));
  glow.addColorStop(0.6, withAlpha(palette.glow, 0.08));
  glow.addColorStop(1, withAlpha(palette.glow, 0));
  brush.fillStyle = glow;
  brush.fillRect(0, 0, side, side);
  brush.fillStyle = palette.light;
  brush.beginPath();
  brush.arc(side / 2, side / 2, radius, 0, Math.PI * 2);
  brush.fill();
  return canvas;
}

interface Layer {
  /** The mean height of its edge, from the top. */
  readonly base: number;
  /** A sum of waves: height in pixels, waves across the width, pixels per second, phase. */
  readonly waves: readonly {
    readonly height: number;
    readonly count: number;
    readonly speed: number;
    readonly phase: number;
  }[];
}

function createLayers(stage: Stage, motif: Motif, random: () => number): Layer[] {
  return [0, 1, 2, 3, 4].map((depth) => {
    const near = depth / 4;
    const turn = () => random() * Math.PI * 2;
    if (motif === 'sea') {
      const height = stage.unit * (3 + near * 15);
      return {
        base: stage.height * (0.56 + near * 0.3),
        waves: [
          { height, count: 3.2 - near * 1.2, speed: stage.unit * (26 + near * 110), phase: turn() },
          { height: height * 0.45, count: 8 - near * 2.5, speed: -stage.unit * (18 + near * 60), phase: turn() },
        ],
      };
    }
    const height = stage.unit * (64 - near * 14);
    return {
      base: stage.height * (0.52 + near * 0.31),
      waves: [
        { height, count: 1.4 + near * 0.5, speed: stage.unit * (6 + near * 70), phase: turn() },
        { height: height * 0.5, count: 3.3 + near, speed: stage.unit * (6 + near * 70), phase: turn() },
        { height: height * 0.22, count: 8.7 + near * 2, speed: stage.unit * (6 + near * 70), phase: turn() },
        { height: height * 0.09, count: 23 + near * 5, speed: stage.unit * (6 + near * 70), phase: turn() },
      ],
    };
  });
}

function paintLayer(
  brush: SKRSContext2D,
  stage: Stage,
  palette: Palette,
  layer: Layer,
  index: number,
  frame: Frame,
): void {
  // 60 to 100 points across the width are smooth at any size: the finest wave has about twenty-five crests.
  const step = stage.width / 160;
  brush.beginPath();
  brush.moveTo(0, stage.height);
  for (let x = 0; x <= stage.width + step; x += step) {
    let y = layer.base;
    for (const wave of layer.waves) {
      y +=
        wave.height *
        Math.sin(((x + wave.speed * frame.seconds) / stage.width) * Math.PI * 2 * wave.count + wave.phase);
    }
    brush.lineTo(x, y);
  }
  brush.lineTo(stage.width, stage.height);
  brush.closePath();
  brush.fillStyle = palette.ground[index] ?? palette.ground[4];
  brush.fill();
}

/** Paints the light's reflection on the water: short flickering strokes that widen towards the viewer. */
function paintReflection(
  brush: SKRSContext2D,
  stage: Stage,
  palette: Palette,
  x: number,
  horizon: number,
  frame: Frame,
): void {
  brush.fillStyle = palette.light;
  for (let row = 0; row < 14; row++) {
    const depth = row / 14;
    const y = horizon + (6 + depth * depth * 190) * stage.unit;
    const width = (34 + depth * 90) * stage.unit * (0.7 + 0.3 * Math.sin(frame.seconds * (2.1 + depth) + row * 1.9));
    brush.globalAlpha = 0.34 * (1 - depth) * (0.65 + 0.35 * Math.sin(frame.seconds * 3.2 + row * 2.4));
    brush.beginPath();
    brush.roundRect(
      x - width / 2 + Math.sin(frame.seconds * 1.3 + row) * 7 * stage.unit,
      y,
      width,
      (2 + depth * 4) * stage.unit,
      3 * stage.unit,
    );
    brush.fill();
  }
  brush.globalAlpha = 1;
}

function createSparks(stage: Stage, palette: Palette, random: () => number) {
  const dot = createCanvas(32, 32);
  const dotBrush = dot.getContext('2d');
  const glow = dotBrush.createRadialGradient(16, 16, 0, 16, 16, 16);
  glow.addColorStop(0, withAlpha(palette.accent, 1));
  glow.addColorStop(0.3, withAlpha(palette.accent, 0.55));
  glow.addColorStop(1, withAlpha(palette.accent, 0));
  dotBrush.fillStyle = glow;
  dotBrush.fillRect(0, 0, 32, 32);
  const count = palette.night ? 70 : 42;
  const sparks = Array.from({ length: count }, () => ({
    x: random() * stage.width,
    y: random() * stage.height * (palette.night ? 0.55 : 0.95),
    side: (palette.night ? 3 + random() * 6 : 6 + random() * 16) * stage.unit,
    speed: (palette.night ? 2 : 14 + random() * 40) * stage.unit,
    rise: (palette.night ? 0 : 6 + random() * 16) * stage.unit,
    beat: 0.5 + random() * 2.2,
    phase: random() * Math.PI * 2,
  }));
  return (brush: SKRSContext2D, frame: Frame) => {
    for (const spark of sparks) {
      const x = (spark.x + spark.speed * frame.seconds) % stage.width;
      const y = (spark.y - spark.rise * frame.seconds + stage.height * 8) % stage.height;
      brush.globalAlpha = 0.25 + 0.5 * (0.5 + 0.5 * Math.sin(frame.seconds * spark.beat * 2 + spark.phase));
      brush.drawImage(dot, x - spark.side / 2, y - spark.side / 2, spark.side, spark.side);
    }
    brush.globalAlpha = 1;
  };
}

/** Curtains of light in a night sky. */
function createRibbons(stage: Stage, palette: Palette, random: () => number) {
  const ribbons = [0, 1, 2].map((index) => ({
    top: stage.height * (0.04 + index * 0.1),
    tall: stage.height * (0.26 + random() * 0.14),
    phase: random() * Math.PI * 2,
    count: 0.8 + random(),
    speed: 0.35 + random() * 0.4,
  }));
  // One strip, painted at each column's own height: the curtain's edge is as soft as the strip's.
  const strip = createCanvas(1, 256);
  const stripBrush = strip.getContext('2d');
  const fade = stripBrush.createLinearGradient(0, 0, 0, 256);
  fade.addColorStop(0, withAlpha(palette.glow, 0));
  fade.addColorStop(0.3, withAlpha(palette.glow, 0.22));
  fade.addColorStop(0.55, withAlpha(palette.glow, 0.1));
  fade.addColorStop(1, withAlpha(palette.glow, 0));
  stripBrush.fillStyle = fade;
  stripBrush.fillRect(0, 0, 1, 256);
  // Integer pixels, so that neighbours neither overlap nor leave a seam.
  const step = Math.max(4, Math.ceil(stage.width / 120));
  return (brush: SKRSContext2D, frame: Frame) => {
    for (const ribbon of ribbons) {
      for (let x = 0; x < stage.width; x += step) {
        const turn = (x / stage.width) * Math.PI * 2 * ribbon.count + frame.seconds * ribbon.speed + ribbon.phase;
        const y = ribbon.top + 40 * stage.unit * Math.sin(turn);
        brush.globalAlpha = 0.6 + 0.4 * Math.sin(turn * 2.7 + frame.seconds * 0.9);
        brush.drawImage(strip, x, Math.round(y), step, Math.round(ribbon.tall));
      }
    }
    brush.globalAlpha = 1;
  };
}
