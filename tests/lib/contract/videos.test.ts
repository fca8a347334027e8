import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { videoRequestSchema } from '../../../lib/contract/videos';
import { MAX_PROMPT_CHARACTERS } from '../../../lib/catalog/request-limits';
import { videoParameters } from '../../../lib/videos/video-parameters';

// The reader of video requests is not generated from the schema, so the two are compared.

const { properties = {} } = z.toJSONSchema(videoRequestSchema, { io: 'input' });

describe('the schema of a video request', () => {
  it.each(Object.entries(videoParameters))('has the values of %s that the reader takes', (name, parameter) => {
    const expected =
      parameter.type === 'boolean'
        ? { type: ['boolean', 'null'] }
        : parameter.type === 'word'
          ? { anyOf: [{ type: 'string', enum: parameter.words }, { type: 'null' }] }
          : { anyOf: [{ type: 'string', maxLength: parameter.maxLength }, { type: 'null' }] };
    expect(properties[name]).toEqual({ description: expect.stringMatching(/\w/) as string, ...expected });
  });

  it('says that `input_seconds` is also the length of reference videos', () => {
    expect(properties.input_seconds).toMatchObject({
      description: expect.stringMatching(/total length of the reference videos.*the maximum/),
    });
  });

  it('has the longest prompt', () => {
    expect(properties.prompt).toMatchObject({ maxLength: MAX_PROMPT_CHARACTERS });
  });
});
