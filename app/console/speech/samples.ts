import { synthesize } from '../../../public/audio/patchbay-audio';
import { socketPaths } from '../api-paths';
import type { Clip } from './clip';
import { getTicket } from './socket-ticket';

// Sample recordings for use in place of the microphone. The sandbox on the machine of the gateway speaks each one when
// it is first used, in test mode.

export const SAMPLE_MODEL = 'sandbox-tts';

const SAMPLE_RATE_HZ = 16_000;

export interface SampleText {
  readonly id: string;
  readonly name: string;
  readonly voice: string;
  readonly text: string;
}

export const sampleTexts: readonly SampleText[] = [
  { id: 'dog', name: 'A short sentence', voice: 'rms', text: 'I would like to walk in the park with my dog.' },
  {
    id: 'pause',
    name: 'Three sentences',
    voice: 'slt',
    text: 'The boat is on the lake. The lake is quiet this morning. Please call me back before noon.',
  },
  {
    id: 'numbers',
    name: 'Numbers and dates',
    voice: 'rms',
    text: 'The order has twelve boxes, costs forty five dollars, and arrives on the third of March.',
  },
];

/** Synthesises a sample. Rejects with the error of the socket. */
export async function speakSample({ name, voice, text }: SampleText): Promise<Clip> {
  const samples = await synthesize({
    url: socketPaths.speech,
    token: () => getTicket('speech', 'test'),
    model: SAMPLE_MODEL,
    voice,
    input: text,
    sampleRate: SAMPLE_RATE_HZ,
  });
  return { name, samples, sampleRateHz: SAMPLE_RATE_HZ };
}
