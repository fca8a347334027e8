import { createCanvas } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import { createBackdrop } from './backdrop';
import { ease } from './frame';
import type { Scene, Stage } from './frame';
import { setFont } from './lettering';
import type { Lettering } from './lettering';
import { createRandom } from './random';
import { createOverlay } from './scene-image';

/** Reference to video: the references as cards that float before a landscape, numbered as in the order. */
export function createCardsScene(
  stage: Stage,
  lettering: Lettering,
  words: { prompt: string; modelName: string; seed: string },
  references: readonly Canvas[],
  notice?: string,
): Scene {
  const backdrop = createBackdrop(stage, words.seed);
  const random = createRandom(`cards ${words.seed}`);
  const overlay = createOverlay(stage, lettering, words, backdrop.palette.accent, notice);
  const places = placeCards(stage, references.length);
  const cards = references.map((picture, index) => {
    // Safe: one place for each reference.
    const place = places[index]!;
    return {
      place,
      face: paintCard(stage, lettering, picture, place.width, place.height, index + 1),
      tilt: (random() - 0.5) * 0.14,
      phase: random() * Math.PI * 2,
    };
  });
  return {
    async paint(brush, frame) {
      await backdrop.paint(brush, frame);
      for (const [index, card] of cards.entries()) {
        const arrival = ease(frame.seconds, index * 0.07, index * 0.07 + 0.5);
        const lift = Math.sin(frame.seconds * 1.1 + card.phase) * 10 * stage.unit;
        brush.save();
        brush.translate(card.place.x, card.place.y + lift + (1 - arrival) * 40 * stage.unit);
        brush.rotate(card.tilt + Math.sin(frame.seconds * 0.8 + card.phase) * 0.025);
        brush.drawImage(card.face, -card.face.width / 2, -card.face.height / 2);
        brush.restore();
      }
      overlay(brush, frame, 1);
    },
  };
}

interface Place {
  /** The centre. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Arranges cards in rows in the upper part of the frame, as large as their number allows. */
function placeCards(stage: Stage, count: number): Place[] {
  const area = { width: stage.width * 0.94, height: stage.height * 0.56, top: stage.height * 0.05 };
  let best = { side: 0, perRow: 1 };
  for (let perRow = 1; perRow <= Math.max(1, count); perRow++) {
    const side = Math.min(area.width / perRow, area.height / Math.ceil(count / perRow));
    if (side > best.side) best = { side, perRow };
  }
  const rows = Math.ceil(count / best.perRow);
  return Array.from({ length: count }, (_, index) => {
    const row = Math.floor(index / best.perRow);
    const inRow = row === rows - 1 ? count - row * best.perRow : best.perRow;
    const cellWidth = Math.min(area.width / inRow, best.side * 1.45);
    return {
      x: stage.width / 2 + ((index % best.perRow) - (inRow - 1) / 2) * cellWidth,
      y: area.top + (area.height / rows) * (row + 0.5),
      width: cellWidth * 0.84,
      height: (area.height / rows) * 0.84,
    };
  });
}

/** Paints a photo print: the whole image in a pale border, with its number in a corner and a shadow. */
function paintCard(
  stage: Stage,
  lettering: Lettering,
  picture: Canvas,
  maxWidth: number,
  maxHeight: number,
  number: number,
): Canvas {
  const border = Math.max(2, 9 * stage.unit);
  const scale = Math.min((maxWidth - border * 2) / picture.width, (maxHeight - border * 2) / picture.height);
  const width = Math.max(4, picture.width * scale);
  const height = Math.max(4, picture.height * scale);
  const shadow = 26 * stage.unit;
  const canvas = createCanvas(Math.ceil(width + border * 2 + shadow * 2), Math.ceil(height + border * 2 + shadow * 2));
  const brush = canvas.getContext('2d');
  brush.shadowColor = 'rgba(4, 6, 20, 0.55)';
  brush.shadowBlur = shadow * 0.8;
  brush.shadowOffsetY = shadow * 0.3;
  brush.fillStyle = '#f7f5ef';
  brush.beginPath();
  brush.roundRect(shadow, shadow, width + border * 2, height + border * 2, 10 * stage.unit);
  brush.fill();
  brush.shadowColor = 'transparent';
  brush.imageSmoothingQuality = 'high';
  brush.drawImage(picture, shadow + border, shadow + border, width, height);
  const badge = Math.max(8, 17 * stage.unit);
  brush.fillStyle = 'rgba(8, 10, 24, 0.72)';
  brush.beginPath();
  brush.arc(shadow + border + badge * 1.4, shadow + border + badge * 1.4, badge, 0, Math.PI * 2);
  brush.fill();
  brush.fillStyle = '#ffffff';
  brush.textAlign = 'center';
  brush.textBaseline = 'middle';
  setFont(brush, lettering.text, badge * 1.1, 650);
  brush.fillText(String(number), shadow + border + badge * 1.4, shadow + border + badge * 1.44);
  return canvas;
}
