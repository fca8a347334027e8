import { createH264MP4Encoder } from 'h264-mp4-encoder';

// Encodes baseline H.264 with a WebAssembly encoder. It has one output file per thread, in its own file system, so a
// thread encodes one video at a time.

interface H264Encoder {
  /** Adds a frame of width × height × 1.5 bytes. */
  add(i420: Uint8Array): void;
  /** Returns the video so far as an MP4 with its index last; nothing may be added afterwards. */
  finish(): Uint8Array;
  /** Frees the encoder's memory. Safe to repeat. */
  close(): void;
}

/** Width and height must be even: the encoder aborts on odd ones. */
export async function createH264Encoder(video: { width: number; height: number; fps: number }): Promise<H264Encoder> {
  const encoder = await createH264MP4Encoder();
  encoder.width = video.width;
  encoder.height = video.height;
  encoder.frameRate = video.fps;
  // Fastest search: the next step (8) doubles the time to save a tenth of the size. 26 keeps gradients free of visible
  // blocks.
  encoder.speed = 10;
  encoder.quantizationParameter = 26;
  // One key frame per second, so that a player can seek by the second.
  encoder.groupOfPictures = Math.max(1, Math.round(video.fps));
  encoder.initialize();
  let open = true;
  return {
    add: (i420) => encoder.addFrameYuv(i420),
    finish() {
      encoder.finalize();
      return encoder.FS.readFile(encoder.outputFilename);
    },
    close() {
      if (!open) return;
      open = false;
      const name = encoder.outputFilename;
      const files = encoder.FS;
      encoder.delete();
      // Otherwise the last video's file would stay in memory until the next one.
      if (files.readdir('/').includes(name)) files.unlink(name);
    },
  };
}
