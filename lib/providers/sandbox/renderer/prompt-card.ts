import { createCanvas } from '@napi-rs/canvas';
import type { Canvas, SKRSContext2D } from '@napi-rs/canvas';
import type { Stage } from './frame';
import { dropUndrawable, setFont, wrap } from './lettering';
import type { Lettering } from './lettering';

/** A longer text never fits legibly, and measuring it would take longer than the video. */
const MAX_LETTERS = 1_500;

interface PromptCard {
  readonly width: number;
  readonly height: number;
  paint(brush: SKRSContext2D, x: number, y: number, opacity: number): void;
}

interface CardOptions {
  readonly prompt: string;
  /** The space for the card, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Letter sizes in units: tried from the first down to the second until the prompt fits. */
  readonly letters: readonly [number, number];
  readonly accent: string;
  /** A notice above the prompt. */
  readonly notice?: string;
}

/** Renders the prompt once, on a dark panel on which it is legible over any image. */
export function createPromptCard(stage: Stage, lettering: Lettering, options: CardOptions): PromptCard {
  const { unit } = stage;
  const { text, dropped } = dropUndrawable(options.prompt.slice(0, MAX_LETTERS).toWellFormed(), lettering);
  const padding = Math.round(30 * unit);
  const bar = Math.max(2, Math.round(5 * unit));
  const measure = createCanvas(8, 8).getContext('2d');
  const room = options.width - padding * 2 - bar;
  const noteSize = Math.max(10, 19 * unit);
  const notes = [
    options.notice,
    dropped ? 'Some letters of the prompt have no font on this machine.' : undefined,
  ].filter((note) => note !== undefined);
  setFont(measure, lettering.text, noteSize, 500);
  const noteLines = notes.flatMap((note) => wrap(measure, note, room));
  const noteHeight = noteLines.length * noteSize * 1.4 + (noteLines.length > 0 && text !== '' ? noteSize * 0.6 : 0);
  const body = fitText(
    measure,
    lettering,
    text,
    room,
    options.height - padding * 2 - noteHeight,
    options.letters,
    unit,
  );
  setFont(measure, lettering.text, noteSize, 500);
  const noteWidth = Math.max(0, ...noteLines.map((line) => measure.measureText(line).width));

  const width = Math.ceil(Math.min(options.width, Math.max(body.width, noteWidth) + padding * 2 + bar));
  const height = Math.ceil(body.lines.length * body.leading + noteHeight + padding * 2);
  const pane: Canvas = createCanvas(width, height);
  const brush = pane.getContext('2d');
  brush.fillStyle = 'rgba(8, 10, 24, 0.62)';
  brush.beginPath();
  brush.roundRect(0, 0, width, height, 18 * unit);
  brush.fill();
  brush.fillStyle = options.accent;
  brush.beginPath();
  brush.roundRect(padding * 0.55, padding, bar, height - padding * 2, bar / 2);
  brush.fill();
  brush.textBaseline = 'middle';
  const left = padding + bar;
  let y = padding;
  brush.fillStyle = options.accent;
  setFont(brush, lettering.text, noteSize, 500);
  for (const line of noteLines) {
    brush.fillText(line, left, y + noteSize * 0.7);
    y += noteSize * 1.4;
  }
  if (noteLines.length > 0) y += noteSize * 0.6;
  brush.fillStyle = '#ffffff';
  setFont(brush, lettering.text, body.size, 600);
  for (const line of body.lines) {
    brush.fillText(line, left, y + body.leading / 2);
    y += body.leading;
  }

  return {
    width,
    height,
    paint(onto, x, atY, opacity) {
      if (opacity <= 0 || (text === '' && noteLines.length === 0)) return;
      onto.globalAlpha = opacity;
      // Integer pixels: between two pixels the letters would blur and shimmer.
      onto.drawImage(pane, Math.round(x), Math.round(atY));
      onto.globalAlpha = 1;
    },
  };
}

function fitText(
  brush: SKRSContext2D,
  lettering: Lettering,
  text: string,
  width: number,
  height: number,
  [largest, smallest]: readonly [number, number],
  unit: number,
) {
  let size = Math.max(12, largest * unit);
  const floor = Math.max(11, smallest * unit);
  for (;;) {
    setFont(brush, lettering.text, size, 600);
    const lines = wrap(brush, text, width);
    const leading = size * 1.28;
    const most = Math.max(1, Math.floor(height / leading));
    if (lines.length <= most || size <= floor) {
      const shown = lines.length > most ? lines.slice(0, most) : balanceLines(brush, text, width, lines);
      const last = shown.at(-1);
      if (lines.length > most && last !== undefined) shown[shown.length - 1] = `${last.replace(/[\s.,;:…]+$/u, '')} …`;
      return { size, leading, lines: shown, width: Math.max(0, ...shown.map((line) => brush.measureText(line).width)) };
    }
    size = Math.max(floor, size * 0.92);
  }
}

/** Wraps into the same number of lines, as even as possible: a last line of one word looks like a mistake. */
function balanceLines(brush: SKRSContext2D, text: string, width: number, lines: string[]): string[] {
  let best = lines;
  let narrow = width / Math.max(1, lines.length);
  let wide = width;
  // Binary search until the difference is one letter's width; sixty lines need no balancing.
  while (lines.length > 1 && lines.length < 8 && wide - narrow > 8) {
    const middle = (narrow + wide) / 2;
    const tried = wrap(brush, text, middle);
    if (tried.length > lines.length) narrow = middle;
    else {
      wide = middle;
      best = tried;
    }
  }
  return best;
}
