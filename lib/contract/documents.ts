import { z } from 'zod';

/** A document for tools: OpenAPI or AsyncAPI, whose own specifications describe it. */
export const documentSchema = z.looseObject({
  info: z.looseObject({ title: z.string(), version: z.string() }),
  openapi: z.string().exactOptional(),
  asyncapi: z.string().exactOptional(),
});
