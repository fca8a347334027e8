import { writeFile } from 'node:fs/promises';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

const {
  PATCHBAY = 'http://127.0.0.1:3000',
  PATCHBAY_API_KEY = '',
  TEXT_MODEL = 'sandbox-text',
  VIDEO_MODEL = 'sandbox-t2v',
} = process.env;
/** The task ends after this many answers, whatever the model wants. */
const MAX_TURNS = 8;

const texts = new Anthropic({ baseURL: PATCHBAY, authToken: PATCHBAY_API_KEY, apiKey: null });
const videos = new OpenAI({ baseURL: `${PATCHBAY}/v1`, apiKey: PATCHBAY_API_KEY });

const tools: Anthropic.Tool[] = [
  {
    name: 'make_video',
    description: 'Makes a video of a few seconds from a description, and saves it. Returns the name of the file.',
    input_schema: {
      type: 'object',
      properties: { prompt: { type: 'string', description: 'What is seen, in one sentence' } },
      required: ['prompt'],
    },
  },
  {
    name: 'list_videos',
    description: 'Lists the newest videos with their prompts and states.',
    input_schema: { type: 'object', properties: {} },
  },
];

async function runTool(name: string, input: unknown): Promise<string> {
  switch (name) {
    case 'make_video':
      return makeVideo(String((input as { prompt?: unknown }).prompt ?? ''));
    case 'list_videos': {
      const { data } = await videos.videos.list({ limit: 10 });
      return data.map(({ id, status, prompt }) => `${id} ${status}: ${prompt ?? ''}`).join('\n');
    }
    default:
      throw new Error(`There is no tool ${name}.`);
  }
}

async function makeVideo(prompt: string): Promise<string> {
  let video = await videos.videos.create({ model: VIDEO_MODEL, prompt });
  while (video.status === 'queued' || video.status === 'in_progress') {
    console.log(`  ${video.status}, ${video.progress} %`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    video = await videos.videos.retrieve(video.id);
  }
  if (video.status !== 'completed') throw new Error(video.error?.message ?? `The video is ${video.status}.`);
  const file = `${video.id}.mp4`;
  const content = await videos.videos.downloadContent(video.id);
  await writeFile(file, Buffer.from(await content.arrayBuffer()));
  return `Saved as ${file}.`;
}

const task = process.argv.slice(2).join(' ') || 'Make a short film about a paper boat';
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }];

for (let turn = 0; turn < MAX_TURNS; turn += 1) {
  const stream = texts.messages.stream({ model: TEXT_MODEL, max_tokens: 1024, tools, messages });
  stream.on('text', (text) => process.stdout.write(text));
  const answer = await stream.finalMessage();
  process.stdout.write('\n');
  messages.push({ role: 'assistant', content: answer.content });
  const calls = answer.content.filter((block) => block.type === 'tool_use');
  if (calls.length === 0) break;

  const results: Anthropic.ToolResultBlockParam[] = [];
  for (const { id, name, input } of calls) {
    console.log(`> ${name} ${JSON.stringify(input)}`);
    try {
      results.push({ type: 'tool_result', tool_use_id: id, content: await runTool(name, input) });
    } catch (error) {
      // The model reads why it failed, and may try something else.
      const reason = error instanceof Error ? error.message : String(error);
      results.push({ type: 'tool_result', tool_use_id: id, content: reason, is_error: true });
    }
    console.log(`< ${results.at(-1)?.content as string}`);
  }
  messages.push({ role: 'user', content: results });
}
