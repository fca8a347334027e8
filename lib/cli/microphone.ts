import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { CommandError, exitCodes, usageError } from './command-error';

// Records the default microphone of this machine through another program, because Node has no access to sound devices.

export interface Recording {
  /** The program, such as `arecord`. */
  readonly program: string;
  /**
   * Raw 16-bit little-endian mono samples, as they are recorded, until `stop` or Ctrl+C ends the program. Throws a
   * CommandError if the program fails.
   */
  readonly audio: AsyncIterable<Uint8Array<ArrayBuffer>>;
  stop(): void;
}

interface Recorder {
  readonly program: string;
  readonly args: (sampleRateHz: number) => readonly string[];
}

/** The name of the default microphone for ffmpeg. On Windows, ffmpeg has no such name. */
const ffmpegInputs: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  linux: ['-f', 'pulse', '-i', 'default'],
  darwin: ['-f', 'avfoundation', '-i', ':default'],
};

/** The recorders of ALSA, SoX and FFmpeg, in the order in which they are tried. */
const recorders: readonly Recorder[] = [
  { program: 'arecord', args: (rate) => ['-q', '-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', String(rate)] },
  {
    program: 'rec',
    args: (rate) => ['-q', '-t', 'raw', '-e', 'signed-integer', '-b', '16', '-L', '-c', '1', '-r', String(rate), '-'],
  },
  ...[ffmpegInputs[process.platform]].flatMap((input) =>
    input === undefined
      ? []
      : [
          {
            program: 'ffmpeg',
            args: (rate: number) => ['-v', 'error', ...input, '-ac', '1', '-ar', String(rate), '-f', 's16le', '-'],
          },
        ],
  ),
];

/** Starts the first of the programs that is installed. Throws a usage error if none is. */
export async function openMicrophone(sampleRateHz: number): Promise<Recording> {
  for (const { program, args } of recorders) {
    const child = spawn(program, args(sampleRateHz), { stdio: ['ignore', 'pipe', 'pipe'] });
    const hasStarted = await new Promise<boolean>((resolve) => {
      child.once('spawn', () => resolve(true));
      child.on('error', () => resolve(false));
    });
    if (hasStarted) return recordingOf(program, child);
  }
  const names = recorders.map(({ program }) => program).join(', ');
  throw usageError(
    `No program that can record a microphone was found. Install one of these: ${names}. Or name a WAV file.`,
  );
}

function recordingOf(program: string, child: ChildProcessByStdio<null, Readable, Readable>): Recording {
  const ended = once(child, 'close');
  let isStopped = false;
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));

  async function* read() {
    for await (const chunk of child.stdout) yield new Uint8Array(chunk as Buffer);
    const [code] = (await ended) as [number | null];
    // Ctrl+C also reaches the program, which then ends with an error.
    if (isStopped || code === 0) return;
    const reason = complaint.trim().split('\n').at(-1) ?? '';
    throw new CommandError(
      `${program} could not record the microphone${reason === '' ? '.' : `: ${reason}`}`,
      exitCodes.failed,
    );
  }

  return {
    program,
    audio: read(),
    stop() {
      isStopped = true;
      child.kill('SIGINT');
    },
  };
}
