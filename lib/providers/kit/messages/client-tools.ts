import { GatewayError } from '../../../domain/errors';
import type { Json } from '../../../domain/json';
import type { MessagesBody, Tool, ToolChoice } from '../../../domain/messages';
import { anyOf } from '../../../domain/phrases';

// Tools that a vendor defines by date and name and that the client runs are written out here, so that any model can
// call them. Tools that the vendor itself runs exist only there: they are dropped, and the response lists them.

export interface PlainTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { readonly [key: string]: Json };
  readonly strict?: boolean;
}

const knownTool = ({ type }: Tool) => knownTools.find(({ prefix }) => type?.startsWith(prefix));
const isClientTool = (tool: Tool) =>
  hasName(tool) && ((tool.type ?? 'custom') === 'custom' || knownTool(tool) !== undefined);
// Safe: a vendor's tools need no name, despite the type.
const hasName = ({ name }: Tool) => (name as string | undefined) !== undefined;

/**
 * Returns the names, for `X-Ignored-Params`, of tools that only their vendor can run: `tools.web_search`, or `tools[2]`
 * for one without a name.
 */
export function leftOutTools(tools: readonly Tool[] | undefined): string[] {
  return (tools ?? []).flatMap((tool, index) =>
    isClientTool(tool) ? [] : [hasName(tool) ? `tools.${tool.name}` : `tools[${index}]`],
  );
}

const CHOICES: readonly ToolChoice['type'][] = ['auto', 'any', 'tool', 'none'];

/**
 * Throws if `tool_choice` is of a type that has no translation, or demands a tool that was dropped: an answer without
 * it is not what was requested.
 */
export function checkToolChoice({ tools, tool_choice: choice }: Pick<MessagesBody, 'tools' | 'tool_choice'>): void {
  if (choice && !CHOICES.includes(choice.type))
    throw unsupported('tool_choice.type', `tool_choice.type must be ${anyOf(CHOICES)} for this model.`);
  const leftOut = (tools ?? []).filter((tool) => !isClientTool(tool));
  const isNamed = choice?.type === 'tool' && leftOut.some(({ name }) => name === choice.name);
  const isNoneLeft = choice?.type === 'any' && leftOut.length > 0 && leftOut.length === tools?.length;
  if (!isNamed && !isNoneLeft) return;
  const names =
    isNamed && choice.type === 'tool' ? choice.name : leftOut.map(({ name, type }) => name ?? type).join(', ');
  throw unsupported(
    'tool_choice',
    `tool_choice asks for ${names}, which only its vendor can run, and this model is served by another. Choose a tool of your own, leave tool_choice out, or name a model of that vendor.`,
  );
}

function unsupported(param: string, message: string): GatewayError {
  return new GatewayError('unsupported_value', message, { param, upstream: { retry: 'never', started: 'no' } });
}

/** Returns the tools that a client runs, each with an object schema; drops the others. */
export function plainTools(tools: readonly Tool[] | undefined): PlainTool[] {
  return (tools ?? []).flatMap((tool): PlainTool[] => {
    if (!isClientTool(tool)) return [];
    const known = knownTool(tool);
    const description = tool.description ?? known?.description;
    return [
      {
        name: tool.name,
        ...(description !== undefined && { description }),
        input_schema: objectSchema(known?.schema ?? tool.input_schema ?? {}),
        ...(tool.strict === true && { strict: true }),
      },
    ];
  });
}

/** Returns a schema that all upstreams accept: some reject `$schema`, or an object without `properties`. */
function objectSchema({ $schema: _dialect, ...schema }: { readonly [key: string]: Json }): {
  readonly [key: string]: Json;
} {
  return { ...schema, type: 'object', properties: schema.properties ?? {} };
}

const textField = (description: string): Json => ({ type: 'string', description });
const range: Json = {
  type: 'array',
  items: { type: 'integer' },
  description: 'First and last line, from 1; -1 is the end of the file.',
};

const knownTools: readonly {
  readonly prefix: string;
  readonly description: string;
  readonly schema: { readonly [key: string]: Json };
}[] = [
  {
    prefix: 'bash_',
    description: 'Runs a command in a shell that stays open between calls.',
    schema: {
      type: 'object',
      properties: {
        command: textField('The command to run.'),
        restart: { type: 'boolean', description: 'Start the shell anew instead.' },
      },
    },
  },
  {
    prefix: 'text_editor_',
    description: 'Views, creates and edits files.',
    schema: {
      type: 'object',
      properties: {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert'] },
        path: textField('The file or directory.'),
        file_text: textField('create: the whole content.'),
        old_str: textField('str_replace: the text to replace; it must occur once.'),
        new_str: textField('str_replace: the text to put in its place.'),
        insert_line: { type: 'integer', description: 'insert: the line after which to insert.' },
        insert_text: textField('insert: the text to insert.'),
        view_range: range,
      },
      required: ['command', 'path'],
    },
  },
  {
    prefix: 'memory_',
    description: 'Keeps notes in files below /memories.',
    schema: {
      type: 'object',
      properties: {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
        path: textField('The file or directory.'),
        file_text: textField('create: the whole content.'),
        old_str: textField('str_replace: the text to replace.'),
        new_str: textField('str_replace: the text to put in its place.'),
        insert_line: { type: 'integer', description: 'insert: the line after which to insert.' },
        insert_text: textField('insert: the text to insert.'),
        view_range: range,
        old_path: textField('rename: the present path.'),
        new_path: textField('rename: the new path.'),
      },
      required: ['command'],
    },
  },
];
