import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseBody } from '../../../lib/contract/parse-body';
import { verifyRequestSchema } from '../../../lib/contract/providers';
import { resendRequestSchema } from '../../../lib/contract/webhooks';

function refusal(schema: z.ZodType, body: unknown) {
  try {
    parseBody(schema, body);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a body with a value that its schema does not take', () => {
  it.each([
    [resendRequestSchema, { states: ['bogus'] }, 'states[0]', 'states[0] must be "failed" or "disabled"; got "bogus".'],
    [resendRequestSchema, { created_from: 'today' }, 'created_from', 'created_from must be a number; got "today".'],
    [resendRequestSchema, { created_from: 1.5 }, 'created_from', 'created_from must be a whole number; got 1.5.'],
    [resendRequestSchema, { created_to: -1 }, 'created_to', 'created_to must be at least 0; got -1.'],
    [
      resendRequestSchema,
      { created_to: 1_764_547_200_000 },
      'created_to',
      'created_to must be at most 253402300799; got 1764547200000.',
    ],
    [verifyRequestSchema, { provider: ['kling'] }, 'provider', 'provider must be text; got a list.'],
    [
      z.object({ names: z.array(z.string().max(2)) }),
      { names: ['abc'] },
      'names[0]',
      'names[0] must have at most 2 characters.',
    ],
    [z.object({ names: z.array(z.string()).min(1) }), { names: [] }, 'names', 'names must not be empty.'],
    [z.object({ names: z.array(z.string()).min(2) }), { names: [] }, 'names', 'names must have at least 2 elements.'],
  ])('is refused with a sentence about the parameter: case %#', (schema, body, param, message) => {
    expect(refusal(schema, body)).toMatchObject({ message, extra: { param } });
  });

  it('keeps the sentence of a schema that has one', () => {
    const schema = z.strictObject({ kind: z.enum(['a', 'b'], 'kind must be "a" or "b", as the invoice says.') });
    expect(refusal(schema, { kind: 'c' })).toMatchObject({ message: 'kind must be "a" or "b", as the invoice says.' });
  });
});
