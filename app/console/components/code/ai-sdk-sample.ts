import { fieldsOf, isObject, type Fields } from '../../../../lib/domain/json';
import type { CodeRequest, CodeSample, CodeValue } from './code-request';
import { printValue, quoted, typescriptSyntax } from './print-value';

// A message request with the `ai` package, which names many fields differently. Fields that the package does not
// support, such as documents, are missing from the sample.

export function aiSdkSample({ baseUrl, body = {} }: CodeRequest): CodeSample {
  const hasTools = Array.isArray(body['tools']) && body['tools'].length > 0;
  const schema = fieldsOf(fieldsOf(body['output_config'])['format'])['schema'];
  const isStream = body['stream'] === true && schema === undefined;
  const names = [
    isStream ? 'streamText' : 'generateText',
    ...(hasTools || schema !== undefined ? ['jsonSchema'] : []),
    ...(schema !== undefined ? ['Output'] : []),
    ...(hasTools ? ['tool'] : []),
  ];
  const call = [...fieldsOfCall(body, schema)].map(([name, code]) => `  ${name}: ${code},`);
  const code = [
    'import { createAnthropic } from "@ai-sdk/anthropic";',
    `import { ${names.join(', ')} } from "ai";`,
    '',
    'const patchbay = createAnthropic({',
    `  baseURL: ${quoted(`${baseUrl}/v1`)},`,
    '  apiKey: process.env.PATCHBAY_API_KEY,',
    '});',
    '',
    `const result = ${isStream ? '' : 'await '}${isStream ? 'streamText' : 'generateText'}({`,
    `  model: patchbay(${print(body['model'] ?? '')}),`,
    ...call,
    '});',
    '',
    ...(isStream
      ? ['for await (const text of result.textStream) process.stdout.write(text);', 'console.log();']
      : [schema === undefined ? 'console.log(result.text);' : 'console.log(JSON.stringify(result.output));']),
    ...(hasTools
      ? [
          `for (const call of ${isStream ? 'await result.toolCalls' : 'result.toolCalls'}) console.log(call.toolName, JSON.stringify(call.input));`,
        ]
      : []),
  ].join('\n');
  return {
    language: 'ai-sdk',
    title: 'AI SDK',
    file: 'message-ai.mts',
    install: 'npm install ai @ai-sdk/anthropic',
    run: 'npx tsx message-ai.mts',
    code,
  };
}

/** Yields the fields of the call with their values as code, for lines that are indented by two spaces. */
function* fieldsOfCall(body: Fields, schema: unknown): Generator<readonly [name: string, code: string]> {
  const { max_tokens: max } = body;
  const { budget_tokens: budget } = fieldsOf(body['thinking']);
  // The package adds the thinking budget to this limit, so we subtract it.
  if (typeof max === 'number') yield ['maxOutputTokens', print(typeof budget === 'number' ? max - budget : max)];
  if (body['system'] !== undefined) yield ['system', print(textOf(body['system']))];
  yield ['messages', print(messagesOf(body['messages']))];
  for (const [ours, theirs] of RENAMED) if (body[ours] !== undefined) yield [theirs, print(body[ours])];
  if (Array.isArray(body['tools']) && body['tools'].length > 0) {
    yield ['tools', toolsCode(body['tools'])];
    const choice = choiceOf(fieldsOf(body['tool_choice']));
    if (choice !== undefined) yield ['toolChoice', print(choice)];
  }
  if (schema !== undefined) yield ['output', `Output.object({ schema: jsonSchema(${print(schema)}) })`];
  const options = optionsOf(body);
  if (Object.keys(options).length > 0) yield ['providerOptions', print({ anthropic: options })];
}

const RENAMED = [
  ['temperature', 'temperature'],
  ['top_p', 'topP'],
  ['top_k', 'topK'],
  ['stop_sequences', 'stopSequences'],
] as const;

// Safe: the body of a code request is made of code values.
function print(value: unknown): string {
  return printValue(value as CodeValue, typescriptSyntax, 1);
}

function toolsCode(tools: readonly unknown[]): string {
  const lines = tools.flatMap((each) => {
    const { name, description, input_schema: schema } = fieldsOf(each);
    if (typeof name !== 'string' || !isObject(schema)) return [];
    return [
      `    ${typescriptSyntax.key(name)}: tool({`,
      ...(typeof description === 'string' ? [`      description: ${quoted(description)},`] : []),
      `      inputSchema: jsonSchema(${printValue(schema as CodeValue, typescriptSyntax, 3)}),`, // Safe: as above.
      '    }),',
    ];
  });
  return ['{', ...lines, '  }'].join('\n');
}

function choiceOf({ type, name }: Fields): unknown {
  if (type === 'tool') return { type: 'tool', toolName: name };
  if (type === 'any') return 'required';
  return type === 'none' ? 'none' : undefined;
}

function optionsOf({ thinking, output_config: output, tool_choice: choice, cache_control: cache }: Fields): Fields {
  const { type, budget_tokens: budget } = fieldsOf(thinking);
  const { effort } = fieldsOf(output);
  return {
    ...(type !== undefined && { thinking: { type, ...(budget !== undefined && { budgetTokens: budget }) } }),
    ...(effort !== undefined && { effort }),
    ...(fieldsOf(choice)['disable_parallel_tool_use'] === true && { disableParallelToolUse: true }),
    ...(isObject(cache) && { cacheControl: { type: 'ephemeral' } }),
  };
}

function messagesOf(messages: unknown): readonly unknown[] {
  const names = new Map<unknown, unknown>();
  return (Array.isArray(messages) ? messages : []).flatMap((message): readonly unknown[] => {
    const { role, content } = fieldsOf(message);
    if (typeof content === 'string') return [{ role, content }];
    const blocks = (Array.isArray(content) ? content : []).map(fieldsOf);
    for (const { type, id, name } of blocks) if (type === 'tool_use') names.set(id, name);
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => resultOf(block, names));
    const parts = blocks.flatMap(partOf);
    return [
      ...(results.length > 0 ? [{ role: 'tool', content: results }] : []),
      ...(parts.length > 0 ? [{ role, content: parts }] : []),
    ];
  });
}

function resultOf({ tool_use_id: id, content, is_error: isError }: Fields, names: ReadonlyMap<unknown, unknown>) {
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: names.get(id) ?? '',
    output: { type: isError === true ? 'error-text' : 'text', value: textOf(content) },
  };
}

function partOf(block: Fields): readonly unknown[] {
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: block['text'] }];
    case 'image': {
      const { type, url, data, media_type: mediaType } = fieldsOf(block['source']);
      return type === 'url' ? [{ type: 'image', image: url }] : [{ type: 'image', image: data, mediaType }];
    }
    case 'thinking':
      return [
        {
          type: 'reasoning',
          text: block['thinking'],
          providerOptions: { anthropic: { signature: block['signature'] } },
        },
      ];
    case 'tool_use':
      return [{ type: 'tool-call', toolCallId: block['id'], toolName: block['name'], input: block['input'] }];
    default:
      return [];
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? content : []).map((block) => String(fieldsOf(block)['text'] ?? '')).join('\n\n');
}
