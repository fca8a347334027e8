import type { Mode } from '../../../../lib/domain/video';

// How to configure tools and SDKs for this installation. A test runs each of the texts as it is shown.

export interface SetupStep {
  /** What to do with the text, such as where to save it. */
  readonly title: string;
  readonly text: string;
  /** The file to save the text as. Without it, the text is for a terminal. */
  readonly file?: string;
}

export interface SetupCard {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly steps: readonly SetupStep[];
}

export interface SetupFacts {
  readonly baseUrl: string;
  /** The key, or a placeholder. */
  readonly apiKey: string;
  readonly videoModel: string;
  readonly textModel: string;
}

/** The placeholder for a key that the reader does not have yet. */
export const keyPlaceholder = (mode: Mode) => `pb_${mode}_YOUR_KEY`;

export function setupCards({ baseUrl, apiKey, videoModel, textModel }: SetupFacts): readonly SetupCard[] {
  return [
    {
      id: 'terminal',
      name: 'Terminal',
      about: 'Checks that the base URL and the key are right.',
      steps: [
        {
          title: 'Run',
          text: [`curl -s ${baseUrl}/v1/credits \\`, `  -H "Authorization: Bearer ${apiKey}"`].join('\n'),
        },
      ],
    },
    {
      id: 'openai',
      name: 'OpenAI SDK',
      about: 'Videos, with the package openai for Node or Python. It reads these variables.',
      steps: [
        {
          title: 'Set',
          text: [`export OPENAI_BASE_URL=${baseUrl}/v1`, `export OPENAI_API_KEY=${apiKey}`].join('\n'),
        },
        {
          title: 'Save as video.mts, then npm install openai and npx tsx video.mts',
          file: 'video.mts',
          text: [
            'import OpenAI from "openai";',
            '',
            'const client = new OpenAI();',
            'const video = await client.videos.create({',
            `  model: "${videoModel}",`,
            '  prompt: "A paper boat on a quiet lake",',
            '});',
            'console.log(video.id, video.status);',
          ].join('\n'),
        },
      ],
    },
    ...textCards(baseUrl, apiKey, textModel),
    {
      id: 'mcp',
      name: 'Agents with tools',
      about: 'Any client of the Model Context Protocol can find models, make videos, speak and transcribe.',
      steps: [
        {
          title: 'Save as .mcp.json in the folder of your project',
          file: '.mcp.json',
          text: JSON.stringify(
            {
              mcpServers: {
                patchbay: { type: 'http', url: `${baseUrl}/mcp`, headers: { Authorization: `Bearer ${apiKey}` } },
              },
            },
            undefined,
            2,
          ),
        },
      ],
    },
  ];
}

function textCards(baseUrl: string, apiKey: string, model: string): readonly SetupCard[] {
  return [
    {
      id: 'anthropic',
      name: 'Anthropic SDK',
      about: 'Messages, with the package @anthropic-ai/sdk or anthropic for Python. It reads these variables.',
      steps: [
        {
          title: 'Set',
          text: [`export ANTHROPIC_BASE_URL=${baseUrl}`, `export ANTHROPIC_AUTH_TOKEN=${apiKey}`].join('\n'),
        },
        {
          title: 'Save as message.mts, then npm install @anthropic-ai/sdk and npx tsx message.mts',
          file: 'message.mts',
          text: [
            'import Anthropic from "@anthropic-ai/sdk";',
            '',
            'const client = new Anthropic();',
            'const message = await client.messages.create({',
            `  model: "${model}",`,
            '  max_tokens: 200,',
            '  messages: [{ role: "user", content: "Hello" }],',
            '});',
            'console.log(message.stop_reason);',
          ].join('\n'),
        },
      ],
    },
    {
      id: 'ai-sdk',
      name: 'AI SDK',
      about: 'Messages in apps that use the package ai.',
      steps: [
        {
          title: 'Save as answer.mts, then npm install ai @ai-sdk/anthropic and npx tsx answer.mts',
          file: 'answer.mts',
          text: [
            'import { createAnthropic } from "@ai-sdk/anthropic";',
            'import { generateText } from "ai";',
            '',
            'const patchbay = createAnthropic({',
            `  baseURL: "${baseUrl}/v1",`,
            `  apiKey: "${apiKey}",`,
            '});',
            'const { finishReason } = await generateText({',
            `  model: patchbay("${model}"),`,
            '  prompt: "Hello",',
            '});',
            'console.log(finishReason);',
          ].join('\n'),
        },
      ],
    },
    {
      id: 'claude-code',
      name: 'Claude Code',
      about: 'The agent in your terminal, with a model of this installation.',
      steps: [
        {
          title: 'Run in the folder of your project',
          text: [
            `export ANTHROPIC_BASE_URL=${baseUrl}`,
            `export ANTHROPIC_AUTH_TOKEN=${apiKey}`,
            `export ANTHROPIC_MODEL=${model}`,
            `export ANTHROPIC_SMALL_FAST_MODEL=${model}`,
            'claude',
          ].join('\n'),
        },
      ],
    },
    {
      id: 'opencode',
      name: 'OpenCode',
      about: 'The open agent in your terminal, with a model and the tools of this installation.',
      steps: [
        {
          title: 'Save as opencode.json in the folder of your project, then run opencode',
          file: 'opencode.json',
          text: JSON.stringify(
            {
              provider: {
                patchbay: {
                  npm: '@ai-sdk/anthropic',
                  options: { baseURL: `${baseUrl}/v1`, apiKey },
                  models: { [model]: {} },
                },
              },
              model: `patchbay/${model}`,
              mcp: {
                patchbay: {
                  type: 'remote',
                  url: `${baseUrl}/mcp`,
                  headers: { Authorization: `Bearer ${apiKey}` },
                },
              },
            },
            undefined,
            2,
          ),
        },
      ],
    },
  ];
}
