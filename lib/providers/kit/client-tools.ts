import type { Json } from '../../domain/json';
import type { Tool } from '../../domain/messages';

// Tools that a vendor defines by a date and a name, and that the client itself runs, written out so that any model can
// call them. Tools that the vendor runs exist only there: they are left out.

export interface PlainTool {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { readonly [key: string]: Json };
  readonly strict?: boolean;
}

/** The tools that a client runs, each with a schema of an object; the others are not among them. */
export function plainTools(tools: readonly Tool[] | undefined): PlainTool[] {
  return (tools ?? []).flatMap((tool): PlainTool[] => {
    const known = tool.type === undefined || tool.type === 'custom' ? undefined : knownTools.find(({ prefix }) => tool.type?.startsWith(prefix));
    if (tool.type !== undefined && tool.type !== 'custom' && !known) return [];
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

/** Some upstreams refuse a schema that names its dialect, or an object without `properties`. */
function objectSchema({ $schema: _dialect, ...schema }: { readonly [key: string]: Json }): { readonly [key: string]: Json } {
  return { ...schema, type: 'object', properties: schema.properties ?? {} };
}

const textField = (description: string): Json => ({ type: 'string', description });
const range: Json = { type: 'array', items: { type: 'integer' }, description: 'First and last line, from 1; -1 is the end of the file.' };

const knownTools: readonly { readonly prefix: string; readonly description: string; readonly schema: { readonly [key: string]: Json } }[] = [
  {
    prefix: 'bash_',
    description: 'Runs a command in a shell that stays open between calls.',
    schema: { type: 'object', properties: { command: textField('The command to run.'), restart: { type: 'boolean', description: 'Start the shell anew instead.' } } },
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
