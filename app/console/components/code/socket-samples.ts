import type { CodeSample, CodeValue } from './code-request';
import { printValue, quoted, typescriptSyntax } from './print-value';

// WebSocket samples use the `ws` package, because the built-in WebSocket cannot send the key as a header.

interface SocketRequest {
  /** Base URL of this installation, without a trailing slash. */
  readonly baseUrl: string;
  /** The first message. */
  readonly message: Readonly<Record<string, CodeValue>>;
}

const INSTALL = 'npm install ws';

/** Converts a text to a file of raw audio. `message` is a `tts` message. */
export function speechSamples({ baseUrl, message }: SocketRequest): readonly CodeSample[] {
  const code = [
    'import { createWriteStream } from "node:fs";',
    'import WebSocket from "ws";',
    '',
    ...open(baseUrl, '/v1/audio/speech/ws'),
    'const file = createWriteStream("speech.pcm");',
    '',
    'socket.on("open", () => {',
    `  socket.send(JSON.stringify(${printValue(message, typescriptSyntax, 1)}));`,
    '});',
    '',
    'socket.on("message", (data) => {',
    '  const message = JSON.parse(data.toString());',
    '  if (message.type === "audio") file.write(Buffer.from(message.data, "base64"));',
    '  if (message.type === "error") throw new Error(message.message);',
    '  if (message.type === "done") {',
    '    socket.close();',
    '    file.end(() => console.log("speech.pcm"));',
    '  }',
    '});',
  ].join('\n');
  return [
    {
      language: 'typescript',
      title: 'TypeScript',
      file: 'speech.mts',
      install: INSTALL,
      run: 'npx tsx speech.mts',
      code,
    },
  ];
}

/**
 * Transcribes a file of raw audio. `message` is a `configure` message; `bytesPerSecond` of the audio sets the frame
 * size.
 */
export function transcriptionSamples({
  baseUrl,
  message,
  bytesPerSecond,
}: SocketRequest & { readonly bytesPerSecond: number }): readonly CodeSample[] {
  const code = [
    'import { readFile } from "node:fs/promises";',
    'import WebSocket from "ws";',
    '',
    ...open(baseUrl, '/v1/audio/transcriptions/ws'),
    '',
    'socket.on("open", () => {',
    `  socket.send(JSON.stringify(${printValue(message, typescriptSyntax, 1)}));`,
    '});',
    '',
    'socket.on("message", async (data) => {',
    '  const message = JSON.parse(data.toString());',
    '  if (message.type === "session_started") await sendSound();',
    '  if (message.type === "transcript" && message.is_final) console.log(message.text);',
    '  if (message.type === "error") throw new Error(message.message);',
    '  if (message.type === "done") socket.close();',
    '});',
    '',
    '// 100 ms at a time, at the pace at which a microphone would bring them.',
    'async function sendSound(): Promise<void> {',
    '  const sound = await readFile("sound.pcm");',
    `  const frameBytes = ${Math.round(bytesPerSecond / 10)};`,
    '  for (let at = 0; at < sound.length; at += frameBytes) {',
    '    socket.send(sound.subarray(at, at + frameBytes));',
    '    await new Promise((resolve) => setTimeout(resolve, 100));',
    '  }',
    '  socket.send(JSON.stringify({ type: "stop" }));',
    '}',
  ].join('\n');
  return [
    {
      language: 'typescript',
      title: 'TypeScript',
      file: 'transcribe.mts',
      install: INSTALL,
      run: 'npx tsx transcribe.mts',
      code,
    },
  ];
}

function open(baseUrl: string, path: string): string[] {
  return [
    `const socket = new WebSocket(${quoted(baseUrl.replace(/^http/, 'ws') + path)}, {`,
    '  headers: { Authorization: `Bearer ${process.env.PATCHBAY_API_KEY}` },',
    '});',
  ];
}
