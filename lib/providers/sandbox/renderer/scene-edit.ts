import { createBackdrop } from './backdrop';
import type { Scene, Stage } from './frame';
import type { Lettering } from './lettering';
import { pickPalette, withAlpha } from './palette';
import { paintCover } from './pictures';
import { createRandom } from './random';
import { createOverlay } from './scene-image';
import type { SourceVideo } from './source-video';

/**
 * Video edit: the source's own frames in other colours, with the prompt. If they cannot be decoded, the video says so
 * and keeps only the source's duration.
 */
export async function createEditScene(
  stage: Stage,
  lettering: Lettering,
  words: { prompt: string; modelName: string; seed: string },
  source: SourceVideo,
): Promise<Scene> {
  const { accent, sky } = pickPalette(createRandom(words.seed));
  // Decoded before the first frame, because some streams reveal only then that they are not baseline H.264.
  await source.pictureAt(0);
  const graded = createOverlay(stage, lettering, words, accent);
  let testProvider: ReturnType<typeof createTestProvider> | undefined;
  return {
    async paint(brush, frame) {
      const picture = await source.pictureAt(frame.seconds);
      if (!picture) {
        testProvider ??= createTestProvider(stage, lettering, words, source);
        await testProvider.paint(brush, frame);
        return;
      }
      brush.globalAlpha = 1;
      paintCover(brush, stage, picture);
      const tint = brush.createLinearGradient(0, 0, stage.width, stage.height);
      tint.addColorStop(0, withAlpha(sky[1], 0.85));
      tint.addColorStop(0.5 + 0.2 * Math.sin(frame.seconds * 0.8), withAlpha(sky[2], 0.75));
      tint.addColorStop(1, withAlpha(sky[3], 0.65));
      brush.globalCompositeOperation = 'soft-light';
      brush.fillStyle = tint;
      brush.fillRect(0, 0, stage.width, stage.height);
      brush.globalCompositeOperation = 'source-over';
      brush.globalAlpha = 0.2;
      brush.fillRect(0, 0, stage.width, stage.height);
      brush.globalAlpha = 1;
      graded(brush, frame, 1);
    },
    close: () => source.close(),
  };
}

function createTestProvider(
  stage: Stage,
  lettering: Lettering,
  words: { prompt: string; modelName: string; seed: string },
  source: SourceVideo,
): Scene {
  const backdrop = createBackdrop(stage, words.seed);
  const { facts } = source;
  const notice = `Source could not be decoded here: ${source.undecodable ?? 'it has no pictures'}. Its length, ${facts.durationSeconds} s at ${facts.width}×${facts.height}, was read; its pictures were not edited.`;
  const overlay = createOverlay(stage, lettering, words, backdrop.palette.accent, notice);
  return {
    async paint(brush, frame) {
      await backdrop.paint(brush, frame);
      overlay(brush, frame, 1);
    },
  };
}
