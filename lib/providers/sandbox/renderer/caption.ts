import { createCanvas } from '@napi-rs/canvas';
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Frame, Stage } from './frame';
import { dropUndrawable, setFont } from './lettering';
import type { Lettering } from './lettering';
import { withAlpha } from './palette';

// The caption at the bottom of every video: the sandbox's name, the requested model and a running clock. It prevents a
// test video from being mistaken for the real model's output.

const maker = 'Patchbay sandbox';

interface Caption {
  /** The caption's height in pixels, from the bottom. */
  readonly height: number;
  paint(brush: SKRSContext2D, frame: Frame, opacity: number): void;
}

export function createCaption(stage: Stage, lettering: Lettering, modelName: string, accent: string): Caption {
  const { width, height, unit } = stage;
  const size = Math.max(10, Math.round(19 * unit));
  const margin = Math.round(24 * unit);
  const strip = createCanvas(width, Math.ceil(margin + size * 5));
  const brush = strip.getContext('2d');
  const shade = brush.createLinearGradient(0, 0, 0, strip.height);
  shade.addColorStop(0, 'rgba(5, 7, 18, 0)');
  shade.addColorStop(0.55, 'rgba(5, 7, 18, 0.45)');
  shade.addColorStop(1, 'rgba(5, 7, 18, 0.78)');
  brush.fillStyle = shade;
  brush.fillRect(0, 0, width, strip.height);

  const baseline = strip.height - margin;
  const facts = ` / ${clockText(stage.seconds)}   ${width}×${height}   ${Number(stage.fps.toFixed(2))} fps`;
  setFont(brush, lettering.figures, size * 0.9, 500);
  const clockWidth = brush.measureText(clockText(stage.seconds)).width;
  const factsWidth = brush.measureText(facts).width;
  const mark = size * 0.9;
  const model = dropUndrawable(modelName, lettering).text;
  setFont(brush, lettering.text, size, 650);
  const makerWidth = brush.measureText(maker).width;
  setFont(brush, lettering.text, size, 450);
  const modelWidth = brush.measureText(model).width;
  const namesWidth = mark * 1.5 + makerWidth + size * 0.7 + modelWidth;
  // Side by side if there is room, as in every landscape video; stacked in a portrait one.
  const rows = namesWidth + clockWidth + factsWidth + margin * 3 <= width ? 1 : 2;
  const upper = baseline - (rows - 1) * size * 1.5;
  drawMark(brush, margin, upper - mark * 0.86, mark, accent);
  brush.fillStyle = '#ffffff';
  setFont(brush, lettering.text, size, 650);
  brush.fillText(maker, margin + mark * 1.5, upper);
  brush.fillStyle = 'rgba(255, 255, 255, 0.78)';
  setFont(brush, lettering.text, size, 450);
  brush.fillText(model, margin + mark * 1.5 + makerWidth + size * 0.7, upper);
  const clockLeft = rows === 1 ? width - margin - factsWidth - clockWidth : margin;
  setFont(brush, lettering.figures, size * 0.9, 500);
  brush.fillText(facts, clockLeft + clockWidth, baseline);

  const line = Math.max(2, Math.round(4 * unit));
  return {
    height: margin + size * (0.1 + rows * 1.5),
    paint(onto, frame, opacity) {
      if (opacity <= 0) return;
      onto.globalAlpha = opacity;
      onto.drawImage(strip, 0, height - strip.height);
      onto.fillStyle = '#ffffff';
      setFont(onto, lettering.figures, size * 0.9, 500);
      onto.fillText(clockText(frame.seconds), clockLeft, height - margin);
      onto.fillStyle = withAlpha('#ffffff', 0.22);
      onto.fillRect(0, height - line, width, line);
      onto.fillStyle = accent;
      onto.fillRect(0, height - line, width * frame.progress, line);
      onto.globalAlpha = 1;
    },
  };
}

/** Draws the logo: two sockets and the cord between them. */
function drawMark(brush: SKRSContext2D, x: number, y: number, side: number, colour: string): void {
  brush.strokeStyle = colour;
  brush.fillStyle = colour;
  brush.lineWidth = Math.max(1.2, side * 0.13);
  brush.lineCap = 'round';
  brush.beginPath();
  brush.moveTo(x + side * 0.16, y + side * 0.2);
  brush.bezierCurveTo(
    x + side * 0.16,
    y + side * 1.1,
    x + side * 0.84,
    y - side * 0.1,
    x + side * 0.84,
    y + side * 0.8,
  );
  brush.stroke();
  for (const [cx, cy] of [
    [0.16, 0.16],
    [0.84, 0.84],
  ] as const) {
    brush.beginPath();
    brush.arc(x + side * cx, y + side * cy, side * 0.17, 0, Math.PI * 2);
    brush.fill();
  }
}

/** Formats `00:02.13`: minutes, seconds and hundredths. */
function clockText(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${two(hundredths / 6000)}:${two((hundredths / 100) % 60)}.${two(hundredths % 100)}`;
}
