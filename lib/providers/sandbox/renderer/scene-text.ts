import { createBackdrop } from './backdrop';
import { createCaption } from './caption';
import type { Scene, Stage } from './frame';
import type { Lettering } from './lettering';
import { createPromptCard } from './prompt-card';

/** Text to video: a moving landscape with the prompt in it. */
export function createTextScene(
  stage: Stage,
  lettering: Lettering,
  words: { prompt: string; modelName: string; seed: string },
): Scene {
  const backdrop = createBackdrop(stage, words.seed);
  const { accent } = backdrop.palette;
  const card = createPromptCard(stage, lettering, {
    prompt: words.prompt,
    width: stage.width * 0.84,
    height: stage.height * 0.62,
    letters: [54, 21],
    accent,
  });
  const caption = createCaption(stage, lettering, words.modelName, accent);
  return {
    async paint(brush, frame) {
      await backdrop.paint(brush, frame);
      const sway = Math.sin(frame.seconds * 0.9) * 5 * stage.unit;
      card.paint(
        brush,
        (stage.width - card.width) / 2,
        (stage.height - card.height) / 2 - stage.height * 0.03 + sway,
        1,
      );
      caption.paint(brush, frame, 1);
    },
  };
}
