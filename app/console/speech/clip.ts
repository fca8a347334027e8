// Recordings that can be transcribed in place of a microphone.

/** Mono sound: samples from -1 to 1. */
export interface Clip {
  readonly name: string;
  readonly samples: Float32Array<ArrayBuffer>;
  readonly sampleRateHz: number;
}

export const clipSeconds = ({ samples, sampleRateHz }: Pick<Clip, 'samples' | 'sampleRateHz'>): number =>
  samples.length / sampleRateHz;

const MAX_FILE_BYTES = 100_000_000;

/** Reads an audio file and resamples it. Rejects with an Error with a user-readable message. */
export async function readClip(file: File, sampleRateHz: number): Promise<Clip> {
  if (file.size > MAX_FILE_BYTES) throw new Error('The file is larger than 100 MB. Choose a shorter recording.');
  const context = new OfflineAudioContext(1, 1, sampleRateHz);
  let sound: AudioBuffer;
  try {
    sound = await context.decodeAudioData(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} has no audio that this browser can read. Choose a WAV file.`);
  }
  return { name: file.name, samples: mixed(sound), sampleRateHz };
}

/** Returns the clip at another sample rate. */
export async function resampled(clip: Clip, sampleRateHz: number): Promise<Clip> {
  if (clip.sampleRateHz === sampleRateHz || clip.samples.length === 0) return { ...clip, sampleRateHz };
  const context = new OfflineAudioContext(1, Math.ceil(clipSeconds(clip) * sampleRateHz), sampleRateHz);
  const source = context.createBufferSource();
  source.buffer = new AudioBuffer({ length: clip.samples.length, sampleRate: clip.sampleRateHz });
  source.buffer.copyToChannel(clip.samples, 0);
  source.connect(context.destination);
  source.start();
  return { ...clip, samples: mixed(await context.startRendering()), sampleRateHz };
}

/** Mixes all channels into one. */
function mixed(sound: AudioBuffer): Float32Array<ArrayBuffer> {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, index) => sound.getChannelData(index));
  return Float32Array.from({ length: sound.length }, (_, at) =>
    channels.reduce((sum, channel) => sum + (channel[at] ?? 0) / channels.length, 0),
  );
}
