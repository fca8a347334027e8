import { createCanvas } from '@napi-rs/canvas';
import type { Canvas } from '@napi-rs/canvas';
import { H264Decoder } from 'h264decoder';
import type { EncodedPacket, Input, InputVideoTrack } from 'mediabunny';
import { loadMediabunny, openVideoFile, readFacts } from '../../../io/video-file';
import type { VideoFileFacts } from '../../../domain/files';
import { namedColourMatrix, writeRgba } from './i420';
import { copySound } from './mp4-writer';
import type { SoundTrack } from './mp4-writer';

// Reads a client's video: always its duration, and its frames if they can be decoded without native code, which is only
// possible for baseline H.264.

/** The decoder copies each unit into a buffer of this size without checking it. */
const MAX_UNIT_BYTES = 1024 * 1024;
const MAX_PIXELS = 4096 * 2304;

export interface SourceVideo {
  readonly facts: VideoFileFacts;
  /** The reason why there are no frames, for the card that replaces them; absent while they can be decoded. */
  readonly undecodable: string | undefined;
  /**
   * Returns the frame shown at that time, which must not decrease; the last one after the end. Undefined if there is
   * none.
   */
  pictureAt(seconds: number): Promise<Canvas | undefined>;
  /** Copies the audio; undefined if there is none, or none that an MP4 can contain unchanged. */
  copySound(seconds: number): Promise<SoundTrack | undefined>;
  close(): void;
}

/** Opens a video; undefined if the bytes are not a readable video file. */
export async function openSourceVideo(bytes: Uint8Array): Promise<SourceVideo | undefined> {
  const input = await openVideoFile(bytes);
  try {
    const facts = await readFacts(input);
    const track = await input.getPrimaryVideoTrack();
    if (facts && track && facts.width > 0 && facts.height > 0) return await readSource(input, track, facts);
  } catch (error) {
    // The reader's errors are caused by the client's bytes, except when memory runs out.
    if (error instanceof RangeError && /memory|allocat/i.test(error.message)) throw error;
  }
  input.dispose();
  return undefined;
}

async function readSource(input: Input, track: InputVideoTrack, facts: VideoFileFacts): Promise<SourceVideo> {
  const { EncodedPacketSink } = await loadMediabunny();
  const width = await track.getCodedWidth();
  const height = await track.getCodedHeight();
  const config = await track.getDecoderConfig();
  const parameters = config?.description === undefined ? undefined : readAvcParameters(config.description);
  const matrix = namedColourMatrix((await track.getColorSpace()).matrix, height);
  const rotation = await track.getRotation();

  let undecodable: string | undefined;
  if (facts.profile === undefined) undecodable = `${codecName(facts.codec)} is not H.264`;
  else if (facts.profile !== 'baseline') undecodable = `H.264 ${facts.profile} profile; only Baseline can be decoded`;
  else if (!parameters) undecodable = 'its H.264 parameters are missing';
  else if (width * height > MAX_PIXELS) undecodable = `${width}×${height} is too large`;

  const decoder = undecodable === undefined ? new H264Decoder() : undefined;
  const packets = new EncodedPacketSink(track).packets();
  let waiting: EncodedPacket | undefined;
  let canvas: Canvas | undefined;
  let shown = false;

  /** Decodes one packet, which contains one frame in one or more units; afterwards the canvas shows it. */
  function decode(units: Iterable<Uint8Array>): void {
    if (!decoder || undecodable !== undefined) return;
    let ready = false;
    for (const unit of units) {
      if (unit.byteLength >= MAX_UNIT_BYTES) {
        undecodable = 'one of its pictures is too large';
        return;
      }
      if (decoder.decode(unit) === H264Decoder.PIC_RDY) ready = true;
    }
    // The decoder also reports "error" for a unit that does not complete a frame, so only the packet as a whole counts.
    if (!ready) {
      undecodable = 'its H.264 stream uses more than the Baseline profile';
      return;
    }
    if (decoder.width < width || decoder.height < height || decoder.pic.length === 0) {
      undecodable = 'its pictures are smaller than its index says';
      return;
    }
    canvas ??= createCanvas(width, height);
    const brush = canvas.getContext('2d');
    const pixels = brush.createImageData(width, height);
    writeRgba(decoder.pic, decoder, width, height, matrix, pixels.data);
    brush.putImageData(pixels, 0, 0);
    shown = true;
  }

  for (const unit of parameters?.units ?? []) decoder?.decode(unit);

  return {
    facts,
    get undecodable() {
      return undecodable;
    },
    async pictureAt(seconds) {
      // Half a millisecond: times are rounded to the file's own ticks.
      while (undecodable === undefined) {
        waiting ??= (await packets.next()).value ?? undefined;
        if (!waiting || (shown && waiting.timestamp > seconds + 0.0005)) break;
        decode(splitUnits(waiting.data, parameters?.lengthBytes ?? 4));
        waiting = undefined;
      }
      if (!shown || !canvas || undecodable !== undefined) return undefined;
      return rotation === 0 ? canvas : rotated(canvas, rotation);
    },
    async copySound(seconds) {
      const audio = await input.getPrimaryAudioTrack();
      return audio ? copySound(audio, seconds) : undefined;
    },
    close: () => input.dispose(),
  };
}

function rotated(picture: Canvas, degrees: number): Canvas {
  const turned = degrees % 180 !== 0;
  const canvas = createCanvas(turned ? picture.height : picture.width, turned ? picture.width : picture.height);
  const brush = canvas.getContext('2d');
  brush.translate(canvas.width / 2, canvas.height / 2);
  brush.rotate((degrees * Math.PI) / 180);
  brush.drawImage(picture, -picture.width / 2, -picture.height / 2);
  return canvas;
}

function codecName(codec: string | undefined): string {
  return codec === undefined ? 'its codec' : codec.split('.')[0] || 'its codec';
}

/** Parses an `avcC` box: the parameter sets, and how many bytes hold the length of each unit in a packet. */
function readAvcParameters(
  description: AllowSharedBufferSource,
): { units: Uint8Array[]; lengthBytes: number } | undefined {
  const box = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  const view = new DataView(box.buffer, box.byteOffset, box.byteLength);
  const units: Uint8Array[] = [];
  let at = 5;
  // First the sequence sets (their count in five bits), then the picture sets (in eight).
  for (const mask of [0x1f, 0xff]) {
    if (at >= box.length) return undefined;
    const count = view.getUint8(at++) & mask;
    for (let index = 0; index < count; index++) {
      if (at + 2 > box.length) return undefined;
      const length = view.getUint16(at);
      units.push(box.subarray(at + 2, at + 2 + length));
      at += 2 + length;
    }
  }
  return { units, lengthBytes: (view.getUint8(4) & 3) + 1 };
}

function* splitUnits(packet: Uint8Array, lengthBytes: number): Generator<Uint8Array> {
  let at = 0;
  while (at + lengthBytes <= packet.length) {
    let length = 0;
    for (let byte = 0; byte < lengthBytes; byte++) length = length * 256 + (packet[at + byte] ?? 0);
    at += lengthBytes;
    if (length === 0 || at + length > packet.length) return;
    yield packet.subarray(at, at + length);
    at += length;
  }
}
