import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCanvas } from '@napi-rs/canvas';
import { composeScene } from './compose-scene';
import type { Stage } from './frame';
import { createH264Encoder } from './h264';
import { colourMatrixFor, writeI420 } from './i420';
import { encodeSound, writeMp4 } from './mp4-writer';
import type { RenderTask } from './task';

/**
 * Renders an order into the bytes of an MP4: Baseline H.264 of exactly the asked length and rate, AAC sound of the same length
 * where the order has sound. An odd width or height becomes the even one below, since H.264 carries colour for every second
 * pixel only. Rejects with a RenderFailure when the order's media cannot be used.
 */
export async function renderVideo(task: RenderTask): Promise<Uint8Array> {
  const { order } = task;
  const width = order.width & ~1;
  const height = order.height & ~1;
  const stage: Stage = { width, height, unit: Math.min(width, height) / 720, fps: order.fps, seconds: order.seconds };
  const count = Math.max(1, Math.round(order.seconds * order.fps));
  const { scene, sound } = await composeScene(task, stage);
  const colours = colourMatrixFor(height);
  const encoder = await createH264Encoder({ width, height, fps: order.fps });
  try {
    const canvas = createCanvas(width, height);
    const brush = canvas.getContext('2d');
    const i420 = new Uint8Array((width * height * 3) / 2);
    for (let index = 0; index < count; index++) {
      await scene.paint(brush, {
        index,
        count,
        seconds: index / order.fps,
        progress: count === 1 ? 1 : index / (count - 1),
      });
      writeI420(canvas.data(), width, height, colours, i420);
      encoder.add(i420);
      // The canvas's pixels live outside the engine's heap and are only freed between two turns of the event loop: without
      // this pause a video of 1080p would hold gigabytes at its end.
      await nextTurn();
    }
    const track =
      sound === 'own'
        ? await encodeSound(order.seed === undefined ? order.prompt : String(order.seed), count / order.fps)
        : sound;
    return await writeMp4({
      encoded: encoder.finish(),
      fps: order.fps,
      seconds: count / order.fps,
      colours,
      ...(track ? { sound: track } : {}),
    });
  } finally {
    encoder.close();
    scene.close?.();
  }
}
