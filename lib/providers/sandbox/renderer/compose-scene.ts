import { createCanvas } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import type { Scene, Stage } from './frame';
import { loadLettering, setFont, wrap } from './lettering';
import type { Lettering } from './lettering';
import type { SoundTrack } from './mp4-writer';
import { decodePicture } from './pictures';
import { createCardsScene } from './scene-cards';
import { createEditScene } from './scene-edit';
import { createImageScene, createStartEndScene } from './scene-image';
import { createTextScene } from './scene-text';
import { openSourceVideo } from './source-video';
import { RenderFailure } from './task';
import type { RenderTask, TaskMedia } from './task';

interface Composition {
  readonly scene: Scene;
  /** The source's audio, kept; `own` requests the sandbox's own. */
  readonly sound: SoundTrack | 'own' | undefined;
}

/** Room to zoom in by a seventh without visible pixels. */
const zoomRoom = 1.2;

/** Decodes the order's media and chooses the scene for them. Rejects with a RenderFailure if they cannot be used. */
export async function composeScene(task: RenderTask, stage: Stage): Promise<Composition> {
  const { order, media } = task;
  const lettering = loadLettering();
  const words = {
    prompt: order.prompt,
    modelName: task.modelName,
    seed: order.seed === undefined ? order.prompt : `seed ${order.seed}`,
  };
  const own = order.audio ? 'own' : undefined;
  const piece = (role: TaskMedia['role']) => media.find((each) => each.role === role);
  const maxSide = Math.ceil(Math.max(stage.width, stage.height) * zoomRoom * 1.5);

  const source = piece('source_video');
  if (source) return composeEdit(task, stage, lettering, words, source);

  const first = piece('first_frame');
  const last = piece('last_frame');
  if (first && last) {
    return {
      scene: createStartEndScene(
        stage,
        lettering,
        words,
        await decodePicture(first, maxSide),
        await decodePicture(last, maxSide),
      ),
      sound: own,
    };
  }
  const single = first ?? last;
  if (single)
    return { scene: createImageScene(stage, lettering, words, await decodePicture(single, maxSide)), sound: own };
  if (media.length === 0) return { scene: createTextScene(stage, lettering, words), sound: own };

  const references: Canvas[] = [];
  // Sequentially: each may be large while it is decoded, and only a small copy is kept.
  for (const piece of media) {
    references.push(
      piece.role === 'reference_video'
        ? await firstPicture(piece, lettering)
        : await decodePicture(piece, Math.max(stage.width, stage.height)),
    );
  }
  return { scene: createCardsScene(stage, lettering, words, references), sound: own };
}

async function composeEdit(
  task: RenderTask,
  stage: Stage,
  lettering: Lettering,
  words: { prompt: string; modelName: string; seed: string },
  media: TaskMedia,
): Promise<Composition> {
  const { order } = task;
  const source = await openSourceVideo(media.bytes);
  if (!source) throw unreadable('The source video');
  // Absent means kept, as in the models that have this parameter.
  const kept = order.parameters['keep_original_sound'] === false ? undefined : await source.copySound(order.seconds);
  const silentSource = !source.facts.hasAudio && order.parameters['keep_original_sound'] !== false;
  return {
    scene: await createEditScene(stage, lettering, words, source),
    sound: kept ?? (order.audio && !silentSource ? 'own' : undefined),
  };
}

/** Returns the first frame of a reference video, or a card that says why there is none. */
async function firstPicture(media: TaskMedia, lettering: Lettering): Promise<Canvas> {
  const source = await openSourceVideo(media.bytes);
  if (!source) throw unreadable('A reference video');
  try {
    const picture = await source.pictureAt(0);
    if (picture) return picture;
    return paintNotice(
      lettering,
      `This video could not be decoded here: ${source.undecodable ?? 'it has no pictures'}.`,
      source.facts.width / source.facts.height,
    );
  } finally {
    source.close();
  }
}

function paintNotice(lettering: Lettering, text: string, ratio: number): Canvas {
  const canvas = createCanvas(Math.round(360 * Math.min(2.4, Math.max(0.6, ratio))), 360);
  const brush = canvas.getContext('2d');
  brush.fillStyle = '#232a45';
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.fillStyle = '#dfe5ff';
  brush.textAlign = 'center';
  setFont(brush, lettering.text, 24, 500);
  const lines = wrap(brush, text, canvas.width - 50);
  for (const [index, line] of lines.entries())
    brush.fillText(line, canvas.width / 2, 190 + (index - (lines.length - 1) / 2) * 32);
  return canvas;
}

function unreadable(name: string): RenderFailure {
  return new RenderFailure(
    'media_invalid',
    `${name} is not a video file that can be read. Send an MP4, MOV or WebM file. You were not charged.`,
  );
}
