import { z } from 'zod';
import type { JsonOf } from './fields';

// The health of the service and of the process.

const connectionSchema = z.strictObject({
  connected: z.boolean(),
  error: z.string().describe("Empty when connected; never contains a host name or a driver's message."),
});
export type ConnectionJson = JsonOf<typeof connectionSchema>;

export type HealthJson = JsonOf<typeof healthSchema>;
export const healthSchema = z.strictObject({
  message: z.string(),
  version: z.string(),
  health: z.strictObject({ status: z.enum(['ok', 'error']), redis: connectionSchema, database: connectionSchema }),
});

export type HelloJson = JsonOf<typeof helloSchema>;
export const helloSchema = z.strictObject({ message: z.literal('OK') });

export type LivenessJson = JsonOf<typeof livenessSchema>;
export const livenessSchema = z.strictObject({ status: z.literal('alive') });

/** 503 unless `ready`. */
export type ReadinessJson = JsonOf<typeof readinessSchema>;
export const readinessSchema = z.strictObject({
  status: z.enum(['starting', 'ready', 'database_unavailable', 'draining']),
});
