import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { WebSocket } from 'ws';
import { openSpeech, openTranscription, Patchbay, SocketError } from '../client/index';
import { readWav, wavFile } from '../io/wav';
import { makeCommand, option, type Outcome } from './command';
import { CommandError, exitCodes, usageError } from './command-error';
import { savingTo, type Destination } from './destination';
import { connectionOptions, findConnection, type ConnectionOptions, type FoundConnection } from './login';
import { openMicrophone } from './microphone';
import { note, readStdin, type Terminal } from './terminal';

// `speak` and `transcribe`: WAV files and the microphone over the sockets of the API.

const SAMPLE_RATE_HZ = 24_000;
/** A sample rate that every model accepts. */
const MICROPHONE_RATE_HZ = 16_000;
/** The length of a frame of a file, sent at twice the speed of speech. */
const FRAME_SECONDS = 0.1;
const FRAME_PAUSE_MS = 50;

const webSocket = (url: string) => new WebSocket(url);
const clientOf = ({ url, token }: FoundConnection) => new Patchbay({ baseUrl: url, apiKey: token });

interface SpeakOptions extends ConnectionOptions {
  readonly model: string;
  readonly voice: string;
  readonly language?: string;
  readonly out: string;
}

interface TranscribeOptions extends ConnectionOptions {
  readonly model: string;
  readonly language?: string;
  readonly seconds?: string;
  readonly json?: boolean;
}

export function speechCommands(terminal: Terminal): readonly Command[] {
  return [
    makeCommand<SpeakOptions>(terminal, {
      name: 'speak [text]',
      description: 'Speak a text into a WAV file; without a text, that of standard input.',
      examples: [
        'patchbay speak "The boat is on the lake." --out boat.wav',
        'patchbay speak --out letter.wav < letter.txt',
      ],
      options: [
        ...connectionOptions,
        option('--model <id>', 'text-to-speech model').default('sandbox-tts'),
        option('--voice <name>', 'one of its voices').default('rms'),
        option('--language <code>', 'ISO 639-1, such as en'),
        option('--out <file>', 'where to write it, or - for standard output').default('speech.wav'),
      ],
      run: (options, text) => withSocketErrors(() => speak(terminal, options, text)),
    }),
    makeCommand<TranscribeOptions>(terminal, {
      name: 'transcribe [file]',
      description:
        'Print the text of a WAV file with 16-bit mono samples (- is standard input); without a file, of the microphone.',
      examples: ['patchbay transcribe boat.wav', 'patchbay transcribe', 'patchbay transcribe --seconds 10'],
      options: [
        ...connectionOptions,
        option('--model <id>', 'speech-to-text model').default('sandbox-stt'),
        option('--language <code>', 'ISO 639-1, such as en'),
        option('--seconds <seconds>', 'stop the recording after this time; Ctrl+C stops it earlier'),
      ],
      more: 'The microphone is recorded by arecord, rec (SoX) or ffmpeg. Each sentence is printed when it has been heard.',
      run: (options, file) =>
        withSocketErrors(() =>
          file === undefined ? transcribeMicrophone(terminal, options) : transcribeFile(terminal, options, file),
        ),
    }),
  ];
}

async function speak(terminal: Terminal, options: SpeakOptions, given: string | undefined): Promise<Outcome> {
  const text = (given ?? String(await readStdin(terminal))).trim();
  if (text === '') throw usageError('There is no text to speak.');
  return savingTo(terminal, options.out, (destination) => speakTo(terminal, options, text, destination));
}

async function speakTo(
  terminal: Terminal,
  options: SpeakOptions,
  text: string,
  destination: Destination,
): Promise<Outcome> {
  const { model, voice, language } = options;
  const speech = await openSpeech(clientOf(findConnection(terminal, options)), {
    model,
    voice,
    outputFormat: `pcm_${SAMPLE_RATE_HZ}`,
    ...(language !== undefined && { language }),
    webSocket,
  });
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of speech.speak(text)) chunks.push(chunk);
  } finally {
    speech.close();
  }
  const audio = new Uint8Array(Buffer.concat(chunks));
  const samples = new Int16Array(audio.buffer, 0, Math.floor(audio.length / 2));
  const { name, file } = destination;
  await pipeline([wavFile(samples, SAMPLE_RATE_HZ)], destination.stream(), { end: file !== undefined });
  await destination.finish();
  if (file === undefined) return { text: '', json: undefined };
  const seconds = Math.round((samples.length / SAMPLE_RATE_HZ) * 1_000) / 1_000;
  return { text: `Wrote ${name}, ${seconds.toFixed(1)} seconds.\n`, json: { file, seconds } };
}

async function transcribeFile(terminal: Terminal, options: TranscribeOptions, name: string): Promise<Outcome> {
  const sound = readWav(name === '-' ? await readStdin(terminal) : await readOrRefuse(terminal, name));
  if (!sound) throw usageError(`${name} must be a WAV file with 16-bit mono samples.`);
  const { session, texts } = await startTranscription(terminal, options, sound.sampleRateHz);
  const frame = 2 * Math.ceil(sound.sampleRateHz * FRAME_SECONDS);
  for (let at = 0; at < sound.samples.length; at += frame) {
    session.send(new Uint8Array(sound.samples.subarray(at, at + frame)));
    await terminal.clock.sleep(FRAME_PAUSE_MS, terminal.signal);
  }
  const { audioSeconds } = await session.stop();
  const text = texts.join(' ');
  return { text: `${text}\n`, json: { text, seconds: audioSeconds } };
}

async function transcribeMicrophone(terminal: Terminal, options: TranscribeOptions): Promise<Outcome> {
  const seconds = options.seconds === undefined ? Number.POSITIVE_INFINITY : Number(options.seconds);
  if (!(seconds > 0)) throw usageError('--seconds must be a number above 0.');
  const print = (text: string) => {
    if (!options.json) terminal.stdout.write(`${text}\n`);
  };
  const { session, texts } = await startTranscription(terminal, options, MICROPHONE_RATE_HZ, print);
  try {
    const microphone = await openMicrophone(MICROPHONE_RATE_HZ);
    const stop = () => microphone.stop();
    terminal.signal.addEventListener('abort', stop, { once: true });
    // Ctrl+C was pressed before the microphone was open.
    if (terminal.signal.aborted) stop();
    // The session may be lost for good; `session.stop` then says why.
    session.ended.catch(stop);
    note(terminal, `Listening with ${microphone.program}. Ctrl+C ends it.`);
    let bytes = 0;
    for await (const audio of microphone.audio) {
      session.send(audio);
      bytes += audio.length;
      if (bytes >= 2 * MICROPHONE_RATE_HZ * seconds) break;
    }
    stop();
    const { audioSeconds } = await session.stop();
    return { text: '', json: { text: texts.join(' '), seconds: audioSeconds } };
  } finally {
    session.close();
  }
}

/** Starts a transcription. Each final text is added to `texts` and passed to `onText`. */
async function startTranscription(
  terminal: Terminal,
  options: TranscribeOptions,
  sampleRate: number,
  onText: (text: string) => void = () => {},
) {
  const { model, language } = options;
  const texts: string[] = [];
  const session = await openTranscription(clientOf(findConnection(terminal, options)), {
    model,
    sampleRate,
    ...(language !== undefined && { language }),
    webSocket,
    onTranscript({ text, isFinal }) {
      if (!isFinal || text.trim() === '') return;
      texts.push(text.trim());
      onText(text.trim());
    },
    onReconnect: () => note(terminal, 'The connection was lost and is open again.'),
  });
  return { session, texts };
}

async function readOrRefuse({ cwd }: Terminal, name: string): Promise<Uint8Array> {
  return readFile(path.resolve(cwd, name)).catch(() => {
    throw usageError(`${name} cannot be read.`);
  });
}

async function withSocketErrors(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SocketError)) throw error;
    const mayPass = error.code >= 500 && error.code !== 4401;
    throw new CommandError(error.message, mayPass ? exitCodes.unavailable : exitCodes.failed, {
      error: { message: error.message, code: error.code },
    });
  }
}
