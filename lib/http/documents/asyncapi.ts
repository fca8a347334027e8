import type { z } from 'zod';
import { ticketParam } from '../../contract/operations/audio-params';
import { sockets, type Socket } from '../../contract/sockets';
import { componentsOf, jsonSchemaOf, refTo, type JsonSchema } from './json-schema';

// GET /asyncapi.json: AsyncAPI 3 from the declared sockets. `send` and `receive` describe what the server does.

type Json = Readonly<Record<string, unknown>>;

export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: Json;
  readonly servers: Json;
  readonly defaultContentType: string;
  readonly channels: Json;
  readonly operations: Json;
  readonly components: {
    readonly messages: Json;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Json;
  };
}

/** One message of a socket, with its name in the document. */
interface NamedMessage {
  /** The type of the message, unique in its channel. */
  readonly type: string;
  readonly name: string;
  readonly message: Json;
  readonly schema?: z.ZodType;
}

/** Returns the document of an installation. */
export function createAsyncApi({
  baseUrl,
  version,
}: {
  readonly baseUrl: string;
  readonly version: string;
}): AsyncApiDocument {
  const { host, protocol } = new URL(baseUrl);
  const described = sockets.map((socket) => ({
    socket,
    inputs: messagesOf(socket, 'input'),
    outputs: messagesOf(socket, 'output'),
  }));
  const inputs = described.flatMap((each) => each.inputs);
  const outputs = described.flatMap((each) => each.outputs);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Patchbay',
      version,
      description: `The audio sockets. Guide: ${baseUrl}/docs/speech. The other endpoints: ${baseUrl}/openapi.json.`,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: {
      installation: {
        host,
        protocol: protocol === 'https:' ? 'wss' : 'ws',
        description: 'This installation.',
        security: [{ $ref: '#/components/securitySchemes/apiKey' }, { $ref: '#/components/securitySchemes/token' }],
      },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      described.map(({ socket, ...messages }) => [
        socket.name,
        channelOf(socket, [...messages.inputs, ...messages.outputs]),
      ]),
    ),
    operations: Object.fromEntries(
      described.flatMap((each) => [
        operationOf(each.socket, 'receive', each.inputs),
        operationOf(each.socket, 'send', each.outputs),
      ]),
    ),
    components: {
      messages: Object.fromEntries([...inputs, ...outputs].map(({ name, message }) => [name, message])),
      schemas: {
        ...componentsOf(namesOf(inputs), 'input'),
        ...componentsOf(namesOf(outputs), 'output'),
      },
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key in the header `Authorization`.' },
        token: {
          type: 'httpApiKey',
          in: 'query',
          name: 'token',
          description: 'An API key or a ticket, for clients that cannot set headers.',
        },
      },
    },
  };
}

function messagesOf(socket: Socket, side: 'input' | 'output'): readonly NamedMessage[] {
  const { schema, described } = socket[side];
  const json = schema.options.map((option): NamedMessage => {
    const type = option.shape.type.value;
    const { summary, example } = described[type] ?? missing(type);
    // An error is the same on both sockets.
    const name = type === 'error' ? 'SocketError' : `${capitalized(socket.name)}${pascal(type)}`;
    const message = { name: type, summary, payload: refTo(name), examples: [{ payload: example }] };
    return { type, name, message, schema: option };
  });
  if (side === 'output' || !socket.binary) return json;
  const { name, description } = socket.binary;
  const message = {
    name,
    summary: description,
    contentType: 'application/octet-stream',
    payload: { type: 'string', format: 'binary' },
  };
  return [...json, { type: name, name: `${capitalized(socket.name)}${pascal(name)}`, message }];
}

function missing(type: string): never {
  throw new Error(`The message ${type} is not described in lib/contract/sockets.ts.`);
}

function namesOf(messages: readonly NamedMessage[]): ReadonlyMap<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  for (const { name, schema } of messages) if (schema) names.set(schema, name);
  return names;
}

function channelOf({ path, summary, description }: Socket, messages: readonly NamedMessage[]): Json {
  return {
    address: path,
    summary,
    description,
    messages: Object.fromEntries(messages.map(({ type, name }) => [type, { $ref: `#/components/messages/${name}` }])),
    bindings: {
      ws: {
        method: 'GET',
        query: {
          type: 'object',
          properties: Object.fromEntries(
            Object.entries(ticketParam).map(([name, schema]) => [name, jsonSchemaOf(schema)]),
          ),
        },
        bindingVersion: '0.1.0',
      },
    },
  };
}

function operationOf(
  { name, summary }: Socket,
  action: 'send' | 'receive',
  messages: readonly NamedMessage[],
): readonly [string, Json] {
  return [
    `${action}${capitalized(name)}`,
    {
      action,
      channel: { $ref: `#/channels/${name}` },
      summary: action === 'receive' ? `${summary}: what the client sends` : `${summary}: what the server sends`,
      messages: messages.map(({ type }) => ({ $ref: `#/channels/${name}/messages/${type}` })),
    },
  ];
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const pascal = (text: string) => text.split('_').map(capitalized).join('');
