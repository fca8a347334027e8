import type { EncodedPacket, InputAudioTrack } from 'mediabunny';
import { loadMediabunny, openVideoFile } from '../../../io/video-file';
import type { ColourMatrix } from './i420';
import { channelCount, createSound, sampleRateHz } from './sound';

// Writes the finished file: the encoder's frames with exact times, AAC audio, and the index first, so that a browser
// can start playing before it has the whole file.

/** Audio for the file: packets in order, with the decoder's configuration. */
export interface SoundTrack {
  readonly packets: readonly EncodedPacket[];
  readonly decoderConfig: AudioDecoderConfig;
}

/** Generates and encodes the sandbox's own audio. */
export async function encodeSound(seed: string, seconds: number): Promise<SoundTrack> {
  const { AdtsOutputFormat, AudioSample, AudioSampleSource, NullTarget, Output } = await loadMediabunny();
  const { registerAacEncoder } = await import('@mediabunny/aac-encoder');
  registerAacEncoder();
  const packets: EncodedPacket[] = [];
  let decoderConfig: AudioDecoderConfig | undefined;
  const source = new AudioSampleSource({
    codec: 'aac',
    bitrate: 96_000,
    onEncodedPacket(packet, meta) {
      packets.push(packet);
      decoderConfig ??= meta?.decoderConfig;
    },
  });
  // Only the packets are used; exact durations are set when they are written with the frames.
  const output = new Output({ format: new AdtsOutputFormat(), target: new NullTarget() });
  output.addAudioTrack(source);
  await output.start();
  const sound = createSound(seed, seconds);
  const total = Math.round(seconds * sampleRateHz);
  for (let start = 0; start < total; start += sampleRateHz) {
    const data = sound(start, Math.min(sampleRateHz, total - start));
    const sample = new AudioSample({
      data,
      format: 'f32',
      numberOfChannels: channelCount,
      sampleRate: sampleRateHz,
      timestamp: start / sampleRateHz,
    });
    await source.add(sample);
    sample.close();
  }
  await output.finalize();
  if (!decoderConfig) throw new Error('The AAC encoder gave no description of its stream.');
  return { packets, decoderConfig };
}

/**
 * Returns the audio packets of another file; undefined if it is not AAC and therefore cannot be copied into an MP4
 * unchanged.
 */
export async function copySound(track: InputAudioTrack, seconds: number): Promise<SoundTrack | undefined> {
  const { EncodedPacketSink } = await loadMediabunny();
  const decoderConfig = (await track.getCodec()) === 'aac' ? await track.getDecoderConfig() : null;
  if (!decoderConfig) return undefined;
  const packets: EncodedPacket[] = [];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    if (packet.timestamp >= seconds) break;
    packets.push(packet);
  }
  return packets.length === 0 ? undefined : { packets, decoderConfig };
}

/** Writes the MP4. `encoded` is the encoder's own file; every frame lasts exactly 1/`fps` second. */
export async function writeMp4(video: {
  encoded: Uint8Array;
  fps: number;
  seconds: number;
  colours: ColourMatrix;
  sound?: SoundTrack;
}): Promise<Uint8Array> {
  const {
    BufferTarget,
    EncodedAudioPacketSource,
    EncodedPacketSink,
    EncodedVideoPacketSource,
    Mp4OutputFormat,
    Output,
  } = await loadMediabunny();
  const input = await openVideoFile(video.encoded);
  try {
    const track = await input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    if (!track || !config) throw new Error('The encoder wrote a file without pictures.');
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() });
    output.setMetadataTags({ comment: 'Rendered by the Patchbay sandbox' });
    const pictures = new EncodedVideoPacketSource('avc');
    output.addVideoTrack(pictures, { frameRate: video.fps });
    const sound = video.sound && new EncodedAudioPacketSource('aac');
    if (sound) output.addAudioTrack(sound);
    await output.start();

    const { name } = video.colours;
    const decoderConfig = {
      ...config,
      colorSpace: { primaries: name, transfer: name, matrix: name, fullRange: false },
    };
    let index = 0;
    for await (const packet of new EncodedPacketSink(track).packets()) {
      const timed = packet.clone({ timestamp: index / video.fps, duration: 1 / video.fps });
      await pictures.add(timed, index === 0 ? { decoderConfig } : undefined);
      index++;
    }
    if (sound && video.sound) await addSound(sound, video.sound, video.seconds);
    await output.finalize();
    if (!output.target.buffer) throw new Error('The file was not written.');
    return new Uint8Array(output.target.buffer);
  } finally {
    input.dispose();
  }
}

/**
 * The last packet is shortened: AAC comes in blocks of 1,024 samples, and audio longer than the video would lengthen
 * the file.
 */
async function addSound(
  source: { add(packet: EncodedPacket, meta?: EncodedAudioChunkMetadata): Promise<void> },
  sound: SoundTrack,
  seconds: number,
): Promise<void> {
  let first = true;
  for (const packet of sound.packets) {
    if (packet.timestamp >= seconds) break;
    const duration = Math.min(packet.duration, seconds - packet.timestamp);
    await source.add(packet.clone({ duration }), first ? { decoderConfig: sound.decoderConfig } : undefined);
    first = false;
  }
}
