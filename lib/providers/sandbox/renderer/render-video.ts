import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCanvas } from '@napi-rs/canvas';
import { composeScene } from './compose-scene';
import type { Stage } from './frame';
import { createH264Encoder } from './h264';
import { colourMatrixFor, writeI420 } from './i420';
import { encodeSound, writeMp4 } from './mp4-writer';
import type { RenderTask } from './task';

/**
 * Renders an order into the bytes of an MP4: baseline H.264 of exactly the requested duration and rate, and AAC audio
 * of the same duration if the order has audio. An odd width or height is rounded down to the even number, because H.264
 * stores colour for every second pixel only. Rejects with a RenderFailure if the order's media cannot be used.
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
      // The canvas's pixels live outside the JavaScript heap and are only freed between two turns of the event loop:
      // without this pause a 1080p video would hold gigabytes at its end.
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
