import { z } from 'zod';

// The Model Context Protocol has messages of its own, which its SDK checks; this describes only their envelope.

/** A message of JSON-RPC 2.0: a request, a notification, a response, or an error. */
export const mcpMessageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
