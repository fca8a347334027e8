import type { CodeRequest, CodeSample } from './code-request';
import { printValue, quoted, typescriptSyntax } from './print-value';

// The request with vendor SDKs, configured for this installation.

/** Returns a video request with the `openai` package, which supports none of our other requests. */
export function openaiSample({ baseUrl, body = {} }: CodeRequest): CodeSample {
  const code = [
    'import { writeFile } from "node:fs/promises";',
    'import OpenAI from "openai";',
    '',
    'const client = new OpenAI({',
    `  baseURL: ${quoted(`${baseUrl}/v1`)},`,
    '  apiKey: process.env.PATCHBAY_API_KEY,',
    '});',
    '',
    '// post() instead of videos.create(), whose types allow only the lengths and sizes of one vendor.',
    'let video = await client.post<OpenAI.Video>("/videos", {',
    `  body: ${printValue(body, typescriptSyntax, 1)},`,
    '});',
    '',
    '// A video takes seconds in the sandbox, and a minute or more with most providers.',
    'while (video.status === "queued" || video.status === "in_progress") {',
    '  await new Promise((resolve) => setTimeout(resolve, 2_000));',
    '  video = await client.videos.retrieve(video.id);',
    '  console.log(video.status);',
    '}',
    'if (video.status === "failed") throw new Error(video.error?.message);',
    '',
    'const file = await client.videos.downloadContent(video.id);',
    'await writeFile("video.mp4", Buffer.from(await file.arrayBuffer()));',
    'console.log("video.mp4");',
  ].join('\n');
  return {
    language: 'openai',
    title: 'OpenAI SDK',
    file: 'video.mts',
    install: 'npm install openai',
    run: 'npx tsx video.mts',
    code,
  };
}

/** Returns a message request with the `@anthropic-ai/sdk` package. */
export function anthropicSample({ baseUrl, body = {} }: CodeRequest): CodeSample {
  const code = [
    'import Anthropic from "@anthropic-ai/sdk";',
    '',
    'const client = new Anthropic({',
    `  baseURL: ${quoted(baseUrl)},`,
    '  apiKey: process.env.PATCHBAY_API_KEY,',
    '});',
    '',
    ...callOf(body),
  ].join('\n');
  return {
    language: 'anthropic',
    title: 'Anthropic SDK',
    file: 'message.mts',
    install: 'npm install @anthropic-ai/sdk',
    run: 'npx tsx message.mts',
    code,
  };
}

/** Sampling parameters that the types of the SDK no longer have. */
const SAMPLING = ['temperature', 'top_p', 'top_k'];

function callOf(body: NonNullable<CodeRequest['body']>): string[] {
  const { stream, ...buffered } = body;
  const output = [
    '',
    'for (const block of message.content) {',
    '  if (block.type === "text") console.log(block.text);',
    '  if (block.type === "tool_use") console.log(block.name, JSON.stringify(block.input));',
    '}',
  ];
  if (SAMPLING.some((name) => body[name] !== undefined))
    return [
      '// post() instead of messages.create(), whose types have no sampling parameters.',
      'const message = await client.post<Anthropic.Message>("/v1/messages", {',
      `  body: ${printValue(buffered, typescriptSyntax, 1)},`,
      '});',
      ...output,
    ];
  if (stream !== true) return [`const message = await client.messages.create(${print(body)});`, ...output];
  return [
    `const stream = client.messages.stream(${print(buffered)});`,
    'stream.on("text", (text) => process.stdout.write(text));',
    'const message = await stream.finalMessage();',
    'console.log();',
    'for (const block of message.content) {',
    '  if (block.type === "tool_use") console.log(block.name, JSON.stringify(block.input));',
    '}',
  ];
}

function print(body: NonNullable<CodeRequest['body']>): string {
  return printValue(body, typescriptSyntax, 0);
}
