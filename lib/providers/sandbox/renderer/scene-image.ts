import type { Canvas } from '@napi-rs/canvas';
import { createCaption } from './caption';
import { ease } from './frame';
import type { Scene, Stage } from './frame';
import type { Lettering } from './lettering';
import { pickPalette } from './palette';
import { paintCover } from './pictures';
import { createPromptCard } from './prompt-card';
import { createRandom } from './random';

interface ImageWords {
  readonly prompt: string;
  readonly modelName: string;
  readonly seed: string;
}

/** Image to video: the first frame is exactly the image; then the camera moves in and the prompt appears. */
export function createImageScene(stage: Stage, lettering: Lettering, words: ImageWords, image: Canvas): Scene {
  const random = createRandom(words.seed);
  const { accent } = pickPalette(random);
  const toX = random() * 1.2 - 0.6;
  const toY = random() * 1.2 - 0.6;
  const overlay = createOverlay(stage, lettering, words, accent);
  return {
    paint(brush, frame) {
      const way = ease(frame.progress, 0, 1);
      // The first frame uses the best sampling, because it is compared with the image; in motion the difference is
      // invisible.
      brush.imageSmoothingQuality = frame.index === 0 ? 'high' : 'low';
      paintCover(brush, stage, image, { zoom: 1 + 0.14 * way, shiftX: toX * way, shiftY: toY * way });
      overlay(brush, frame, ease(frame.progress, 0.02, 0.16));
    },
  };
}

/** Start and end image: the first frame is exactly the first image, the last frame the second. */
export function createStartEndScene(
  stage: Stage,
  lettering: Lettering,
  words: ImageWords,
  first: Canvas,
  last: Canvas,
): Scene {
  const random = createRandom(words.seed);
  const { accent } = pickPalette(random);
  const side = random() < 0.5 ? -1 : 1;
  const overlay = createOverlay(stage, lettering, words, accent);
  return {
    paint(brush, frame) {
      const { progress } = frame;
      const change = ease(progress, 0.25, 0.75);
      const still = frame.index === 0 || frame.index === frame.count - 1;
      brush.imageSmoothingQuality = still ? 'high' : 'low';
      if (change < 1) {
        const away = ease(progress, 0, 0.75);
        paintCover(brush, stage, first, { zoom: 1 + 0.2 * away, shiftX: side * 0.7 * away, shiftY: 0 });
      }
      if (change > 0) {
        const near = 1 - ease(progress, 0.25, 1);
        brush.globalAlpha = change;
        paintCover(brush, stage, last, { zoom: 1 + 0.2 * near, shiftX: -side * 0.7 * near, shiftY: 0 });
        brush.globalAlpha = 1;
      }
      overlay(brush, frame, Math.min(ease(progress, 0.02, 0.16), 1 - ease(progress, 0.86, 0.98)));
    },
  };
}

/** Creates the overlay: the prompt in the lower third and the caption, over an image that should stay visible. */
export function createOverlay(
  stage: Stage,
  lettering: Lettering,
  words: { prompt: string; modelName: string },
  accent: string,
  notice?: string,
) {
  const card = createPromptCard(stage, lettering, {
    prompt: words.prompt,
    width: Math.min(stage.width * 0.8, Math.max(stage.width * 0.62, 560 * stage.unit)),
    height: stage.height * 0.34,
    letters: [34, 19],
    accent,
    ...(notice === undefined ? {} : { notice }),
  });
  const caption = createCaption(stage, lettering, words.modelName, accent);
  const margin = 24 * stage.unit;
  return (brush: Parameters<Scene['paint']>[0], frame: Parameters<Scene['paint']>[1], opacity: number) => {
    if (opacity <= 0) return;
    caption.paint(brush, frame, opacity);
    card.paint(
      brush,
      margin,
      stage.height - caption.height - margin * 0.6 - card.height + (1 - opacity) * 14 * stage.unit,
      opacity,
    );
  };
}
