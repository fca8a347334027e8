import { describe, expect, it } from 'vitest';
import { textOfNote } from '../../../../lib/providers/kit/video/note';

describe('textOfNote', () => {
  it('is the text of the field', () => {
    expect(textOfNote({ url: 'https://example.com/a.mp4' }, 'url')).toBe('https://example.com/a.mp4');
  });

  it.each([null, {}, { url: 1 }, ['url'], 'url'])('throws for %j, which a provider has not written', (note) => {
    expect(() => textOfNote(note, 'url')).toThrow('url is missing');
  });
});
