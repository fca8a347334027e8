import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { KeyContext, GatewayResponse } from '../handler';
import { MCP_INSTRUCTIONS, registerTools } from './tools';

/** Enough for a recording of a minute in base64. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions, so that any process may answer any
 * request. Each request is one JSON-RPC message and gets one JSON answer.
 */
export async function answerMcp(context: KeyContext): Promise<GatewayResponse> {
  const { request, gateway } = context;
  const body = await request.readBody(MAX_BODY_BYTES);
  const server = new McpServer(
    { name: 'patchbay', title: 'Patchbay', version: gateway.version },
    { instructions: MCP_INSTRUCTIONS },
  );
  registerTools(server, context);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // Aborts the tools of the message when the client goes away.
  const leave = () => void transport.close();
  request.signal.addEventListener('abort', leave);
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: headersOf(request.headers),
        body: new Uint8Array(body),
      }),
    );
    const type = response.headers.get('content-type');
    // A notification is answered without a body.
    if (type === null) return { status: response.status, headers: {} };
    const text = Buffer.from(await response.arrayBuffer());
    // The protocol would refuse the same message again.
    const retry = response.status < 400 ? {} : { 'x-should-retry': 'false' };
    return { status: response.status, headers: { 'content-type': type, ...retry }, body: text };
  } finally {
    request.signal.removeEventListener('abort', leave);
    await server.close();
  }
}

const PASSED = ['accept', 'content-type', 'mcp-protocol-version'];

/** Returns the headers that the transport reads. */
function headersOf(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
