import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operations } from '../../../lib/contract/operations';

const named = operations.map((operation) => [`${operation.method} ${operation.pattern}`, operation] as const);

describe('the operations', () => {
  it('are each listed once', () => {
    const names = named.map(([name]) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(named)('%s: its answers can be written as JSON Schema', (_name, { answers, error }) => {
    const schemas = [...Object.values(answers).map(({ json }) => json), error].filter((json) => json !== undefined);
    expect(schemas.length).toBeGreaterThan(0);
    for (const schema of schemas) expect(z.toJSONSchema(schema)).not.toEqual({});
  });
});
