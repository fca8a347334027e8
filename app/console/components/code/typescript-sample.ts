import type { CodeRequest, CodeSample } from './code-request';
import { printValue, quoted, typescriptSyntax } from './print-value';

/**
 * Returns the request as TypeScript with `fetch`, without packages. The file is a module (`.mts`) because it uses
 * top-level await.
 */
export function typescriptSample(request: CodeRequest): CodeSample {
  const file =
    request.path === '/v1/videos' ? 'video.mts' : request.path === '/v1/messages' ? 'message.mts' : 'request.mts';
  return { language: 'typescript', title: 'TypeScript', file, run: `npx tsx ${file}`, code: codeOf(request) };
}

function codeOf(request: CodeRequest): string {
  const init = initOf(request);
  if (request.path === '/v1/videos' && request.method === 'POST') return videoCode(request, init);
  const call = `await call(${quoted(request.path)}${init})`;
  if (request.path === '/v1/messages' && request.body?.['stream'] === true)
    return [...callFunction(request), '', `const response = ${call};`, ...STREAM_READER].join('\n');
  if (request.path === '/v1/messages') {
    return [
      ...callFunction(request),
      '',
      'interface Message {',
      '  content: { type: string; text?: string }[];',
      '}',
      '',
      `const response = ${call};`,
      'const message = (await response.json()) as Message;',
      'console.log(message.content.map((block) => block.text ?? "").join(""));',
    ].join('\n');
  }
  return [...callFunction(request), '', `const response = ${call};`, 'console.log(await response.json());'].join('\n');
}

/** Prints the text of server-sent events as it arrives. */
const STREAM_READER = [
  'const decoder = new TextDecoder();',
  'const reader = response.body!.getReader();',
  'let rest = "";',
  'for (let part = await reader.read(); !part.done; part = await reader.read()) {',
  '  const lines = (rest + decoder.decode(part.value, { stream: true })).split("\\n");',
  '  rest = lines.pop() ?? "";',
  '  for (const line of lines) {',
  '    if (!line.startsWith("data: ")) continue;',
  '    const event = JSON.parse(line.slice(6)) as { delta?: { text?: string }; error?: { message: string } };',
  '    if (event.error) throw new Error(event.error.message);',
  '    process.stdout.write(event.delta?.text ?? "");',
  '  }',
  '}',
];

function initOf({ method, body }: CodeRequest): string {
  if (body === undefined) return method === 'GET' ? '' : `, { method: ${quoted(method)} }`;
  return `, {\n  method: ${quoted(method)},\n  body: JSON.stringify(${printValue(body, typescriptSyntax, 1)}),\n}`;
}

function callFunction({ baseUrl }: CodeRequest): string[] {
  return [
    `const baseUrl = ${quoted(baseUrl)};`,
    'const headers = {',
    '  Authorization: `Bearer ${process.env.PATCHBAY_API_KEY}`,',
    '  "Content-Type": "application/json",',
    '};',
    '',
    'async function call(path: string, init: RequestInit = {}): Promise<Response> {',
    '  const response = await fetch(baseUrl + path, { ...init, headers });',
    '  if (!response.ok) throw new Error(await response.text());',
    '  return response;',
    '}',
  ];
}

function videoCode(request: CodeRequest, init: string): string {
  return [
    'import { writeFile } from "node:fs/promises";',
    '',
    ...callFunction(request),
    '',
    'interface Video {',
    '  id: string;',
    '  status: "queued" | "in_progress" | "completed" | "failed";',
    '  error?: { message: string };',
    '}',
    '',
    `let response = await call("/v1/videos"${init});`,
    'let video = (await response.json()) as Video;',
    '',
    '// A video takes seconds in the sandbox, and a minute or more with most providers.',
    'while (video.status === "queued" || video.status === "in_progress") {',
    '  await new Promise((resolve) => setTimeout(resolve, 2_000));',
    '  response = await call(`/v1/videos/${video.id}`);',
    '  video = (await response.json()) as Video;',
    '  console.log(video.status);',
    '}',
    'if (video.status === "failed") throw new Error(video.error?.message);',
    '',
    'const file = await call(`/v1/videos/${video.id}/content`);',
    'await writeFile("video.mp4", Buffer.from(await file.arrayBuffer()));',
    'console.log("video.mp4");',
  ].join('\n');
}
