// Flite, a small synthesiser, as a WebAssembly command-line program. It runs once per piece of text, in our own minimal
// WASI with a single output file: Node's WASI aborts the whole process on Node 20 with long texts.

export interface Speech {
  /** From −1 to 1, mono. */
  readonly samples: Float32Array<ArrayBuffer>;
  readonly sampleRateHz: number;
}

export type FliteVoice = 'slt' | 'rms' | 'awb' | 'kal';

/** Thrown through the program's frames at its exit, because a WebAssembly program cannot return early. */
class Exit extends Error {}

const OK = 0;
const BAD_FILE = 8;
const NO_ENTRY = 44;
const NOT_SUPPORTED = 58;

const ROOT = 3;
const OUTPUT = 4;

/**
 * Synthesises one piece of text with the compiled module. `stretch` is the inverse of the speed. Synchronous, and takes
 * a few hundredths of the audio's duration: call it in a worker thread. Throws if the program fails.
 */
export function speak(module: WebAssembly.Module, text: string, voice: FliteVoice, stretch: number): Speech {
  const args = ['flite', '-voice', voice, '--setf', `duration_stretch=${stretch}`, '-t', text, '-o', 'out.wav'].map(
    (arg) => Buffer.from(`${arg}\0`),
  );
  const output = createMemoryFile();
  let memory: WebAssembly.Memory;
  let exitCode = 0;
  const view = () => new DataView(memory.buffer);
  const put = (pointers: number, buffer: number, texts: readonly Buffer[]) => {
    let at = buffer;
    for (const [index, bytes] of texts.entries()) {
      view().setUint32(pointers + index * 4, at, true);
      new Uint8Array(memory.buffer).set(bytes, at);
      at += bytes.length;
    }
  };
  const system = {
    args_sizes_get(count: number, size: number) {
      view().setUint32(count, args.length, true);
      view().setUint32(
        size,
        args.reduce((sum, arg) => sum + arg.length, 0),
        true,
      );
      return OK;
    },
    args_get(pointers: number, buffer: number) {
      put(pointers, buffer, args);
      return OK;
    },
    clock_time_get(_id: number, _precision: bigint, result: number) {
      // A constant clock: the audio must not depend on the time of its synthesis.
      view().setBigUint64(result, 0n, true);
      return OK;
    },
    fd_prestat_get(fd: number, result: number) {
      if (fd !== ROOT) return BAD_FILE;
      view().setUint32(result, 0, true);
      view().setUint32(result + 4, 1, true);
      return OK;
    },
    fd_prestat_dir_name(fd: number, path: number, length: number) {
      if (fd !== ROOT || length < 1) return BAD_FILE;
      new Uint8Array(memory.buffer)[path] = 0x2f;
      return OK;
    },
    path_open(
      _dir: number,
      _flags: number,
      path: number,
      length: number,
      open: number,
      _rights: bigint,
      _inheriting: bigint,
      _fdFlags: number,
      result: number,
    ) {
      const name = Buffer.from(memory.buffer, path, length).toString();
      const creates = (open & 1) !== 0;
      if (!creates || !name.endsWith('out.wav')) return NO_ENTRY;
      view().setUint32(result, OUTPUT, true);
      return OK;
    },
    fd_fdstat_get(fd: number, result: number) {
      new Uint8Array(memory.buffer).fill(0, result, result + 24);
      // A character device, a directory, a regular file.
      view().setUint8(result, fd < ROOT ? 2 : fd === ROOT ? 3 : 4);
      view().setBigUint64(result + 8, ~0n, true);
      view().setBigUint64(result + 16, ~0n, true);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    fd_read: () => NOT_SUPPORTED,
    fd_seek(fd: number, offset: bigint, whence: number, result: number) {
      if (fd !== OUTPUT) return NOT_SUPPORTED;
      view().setBigUint64(result, BigInt(output.seek(Number(offset), whence)), true);
      return OK;
    },
    fd_write(fd: number, vectors: number, count: number, result: number) {
      let written = 0;
      for (let index = 0; index < count; index++) {
        const at = view().getUint32(vectors + index * 8, true);
        const length = view().getUint32(vectors + index * 8 + 4, true);
        // Output of the program outside its file is ignored.
        if (fd === OUTPUT) output.write(new Uint8Array(memory.buffer, at, length));
        written += length;
      }
      view().setUint32(result, written, true);
      return OK;
    },
    fd_close: () => OK,
    proc_exit(code: number): never {
      exitCode = code;
      throw new Exit();
    },
  };
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: system });
  // Safe: the program exports its memory and its start, as every WASI command does.
  memory = instance.exports['memory'] as WebAssembly.Memory;
  try {
    (instance.exports['_start'] as () => void)();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  }
  if (exitCode !== 0) throw new Error(`The synthesiser ended with ${exitCode}.`);
  return readWav(output.bytes());
}

function createMemoryFile() {
  let content = new Uint8Array(65_536);
  let size = 0;
  let position = 0;
  return {
    write(bytes: Uint8Array) {
      if (position + bytes.length > content.length) {
        const larger = new Uint8Array(Math.max(content.length * 2, position + bytes.length));
        larger.set(content.subarray(0, size));
        content = larger;
      }
      content.set(bytes, position);
      position += bytes.length;
      size = Math.max(size, position);
    },
    seek(offset: number, whence: number): number {
      position = Math.max(0, whence === 0 ? offset : whence === 1 ? position + offset : size + offset);
      return position;
    },
    bytes: () => content.subarray(0, size),
  };
}

/**
 * Parses the 16-bit mono file that the program writes: a fixed header of 44 bytes, then samples. Its length fields are
 * unreliable.
 */
function readWav(bytes: Uint8Array): Speech {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 44) return { samples: new Float32Array(0), sampleRateHz: 16_000 };
  const count = Math.floor((bytes.byteLength - 44) / 2);
  const samples = new Float32Array(count);
  for (let index = 0; index < count; index++) samples[index] = view.getInt16(44 + index * 2, true) / 32_768;
  return { samples, sampleRateHz: view.getUint32(24, true) };
}
