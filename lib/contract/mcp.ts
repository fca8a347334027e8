import { z } from 'zod';

// The messages of the Model Context Protocol are checked by its SDK. This describes only their envelope.

/** A message of JSON-RPC 2.0: a request, a notification, a response, or an error. */
export const mcpMessageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
