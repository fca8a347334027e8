// A sample recording as an alternative to the microphone.

const SAMPLE_PATH = '/audio/sample.wav';

export interface Recording {
  readonly stream: MediaStream;
  /** Starts playing, inaudibly. Resolves at the end. */
  play(): Promise<void>;
  close(): void;
}

export async function openSample(): Promise<Recording> {
  const context = new AudioContext();
  await context.resume();
  const response = await fetch(SAMPLE_PATH);
  if (!response.ok) throw new Error('The sample recording could not be loaded. Try again.');
  const source = context.createBufferSource();
  source.buffer = await context.decodeAudioData(await response.arrayBuffer());
  const destination = context.createMediaStreamDestination();
  source.connect(destination);
  return {
    stream: destination.stream,
    play: () =>
      new Promise((resolve) => {
        source.addEventListener('ended', () => resolve());
        source.start();
      }),
    close: () => void context.close(),
  };
}
