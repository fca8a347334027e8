import type { Mode } from '../../../../lib/domain/video';
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

/** Returns samples that synthesise a text to a file of raw audio. `message` is a `tts` message. */
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
 * Returns samples that transcribe a file of raw audio. `message` is a `configure` message; `bytesPerSecond` of the
 * audio sets the frame size.
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
    '// Sends 100 ms at a time, at the pace of a microphone.',
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

/** A page that speaks a text. `text` is the argument of `speak` in the browser library. */
export function speechPageSample({ text, outputFormat, ...page }: PageSample & TextOfPage): CodeSample {
  return pageSample({
    ...page,
    file: 'speech-page.mts',
    path: '/v1/audio/speech/ws',
    values: { text, outputFormat },
    button: 'Speak',
    script: [
      'import { openSpeaker } from "/audio/patchbay-audio.js";',
      'let speaker;',
      'button.onclick = async () => {',
      '  // In the click handler, because browsers allow sound only after a user action.',
      '  speaker ??= openSpeaker({ url, token, outputFormat });',
      '  output.textContent = await (await speaker).speak(text);',
      '};',
    ],
  });
}

/** A page that transcribes its microphone. `options` are those of `transcribe` in the browser library. */
export function transcriptionPageSample({
  options,
  ...page
}: PageSample & { readonly options: Readonly<Record<string, CodeValue>> }): CodeSample {
  return pageSample({
    ...page,
    file: 'transcribe-page.mts',
    path: '/v1/audio/transcriptions/ws',
    values: { options },
    button: 'Listen',
    script: [
      'import { transcribe } from "/audio/patchbay-audio.js";',
      'button.onclick = async () => {',
      '  const onTranscript = ({ text, isFinal }) => {',
      '    output.textContent = isFinal ? text : `${text} …`;',
      '  };',
      '  const session = await transcribe({ url, token, onTranscript, ...options });',
      '  button.textContent = "Stop";',
      '  button.onclick = () => session.stop();',
      '};',
    ],
  });
}

interface PageSample {
  readonly baseUrl: string;
  readonly mode: Mode;
}

interface TextOfPage {
  readonly text: Readonly<Record<string, CodeValue>>;
  readonly outputFormat: string;
}

/** A small server with one page. The server keeps the key and gives the page tickets. */
function pageSample({
  baseUrl,
  mode,
  file,
  path,
  values,
  button,
  script,
}: PageSample & {
  readonly file: string;
  readonly path: string;
  /** Constants that the script of the page can use. */
  readonly values: Readonly<Record<string, CodeValue>>;
  readonly button: string;
  readonly script: readonly string[];
}): CodeSample {
  const constants = { url: baseUrl + path, ...values };
  const code = [
    'import { createServer } from "node:http";',
    '',
    `const gateway = ${quoted(baseUrl)};`,
    ...Object.entries(constants).map(([name, value]) => `const ${name} = ${printValue(value, typescriptSyntax, 0)};`),
    '',
    'const page = `<!doctype html>',
    '<meta charset="utf-8">',
    '<title>Speech</title>',
    `<button>${button}</button>`,
    '<p></p>',
    '<script type="module">',
    ...Object.keys(constants).map((name) => `  const ${name} = \${inPage(${name})};`),
    '  const token = async () => (await (await fetch("/ticket")).json()).ticket;',
    '  const [button, output] = document.querySelectorAll("button, p");',
    ...script.map((line) => `  ${line.replaceAll('`', '\\`').replaceAll('${', '\\${')}`),
    '</script>`;',
    '',
    '// The key stays here: the page gets a ticket, which opens one socket.',
    'async function requestTicket(): Promise<Response> {',
    '  return fetch(`${gateway}/console/api/socket-tickets`, {',
    '    method: "POST",',
    '    headers: {',
    '      Authorization: `Bearer ${process.env.PATCHBAY_API_KEY}`,',
    '      "Content-Type": "application/json",',
    '    },',
    `    body: JSON.stringify({ path: ${quoted(path)}, mode: ${quoted(mode)} }),`,
    '  });',
    '}',
    '',
    '// Prints a value inside a script. "<" is escaped, because it could end the script.',
    'function inPage(value: unknown): string {',
    '  return JSON.stringify(value).replaceAll("<", "\\u003c");',
    '}',
    '',
    'createServer(async (request, response) => {',
    '  const path = request.url ?? "/";',
    '  if (path === "/ticket" || path.startsWith("/audio/")) {',
    '    const answer = path === "/ticket" ? await requestTicket() : await fetch(gateway + path);',
    '    response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" });',
    '    response.end(await answer.text());',
    '  } else {',
    '    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });',
    '    response.end(page);',
    '  }',
    '}).listen(8080, "127.0.0.1", () => console.log("http://127.0.0.1:8080"));',
  ].join('\n');
  return { language: 'browser', title: 'Browser', file, run: `npx tsx ${file}`, scope: 'manage', code };
}

function open(baseUrl: string, path: string): string[] {
  return [
    `const socket = new WebSocket(${quoted(baseUrl.replace(/^http/, 'ws') + path)}, {`,
    '  headers: { Authorization: `Bearer ${process.env.PATCHBAY_API_KEY}` },',
    '});',
  ];
}
