import { describe, expect, it } from 'vitest';
import type { ImageBlock } from '../../../../lib/domain/messages';
import { portableTurns } from '../../../../lib/providers/kit/messages/portable-turns';

const turnsWith = (source: ImageBlock['source']) =>
  portableTurns([{ role: 'user', content: [{ type: 'image', source }] }], {
    providerId: 'moonshot',
    pdf: false,
    systemTurns: true,
  });

describe('an image for a provider that is not the vendor of the API', () => {
  it.each<ImageBlock['source']>([
    { type: 'base64', media_type: 'image/png', data: 'AAAA' },
    { type: 'url', url: 'https://example.com/a.png' },
  ])('of the source $type is passed on', (source) => {
    expect(turnsWith(source)).toEqual([{ role: 'user', content: [{ type: 'image', source }] }]);
  });

  it.each<ImageBlock['source']>([
    { type: 'file', file_id: 'f' },
    // Safe: a client may send a source that the types do not have, and the validation leaves it to the provider.
    { type: 'source_of_next_week' } as unknown as ImageBlock['source'],
  ])('of the source $type is refused, and the error says what to send', (source) => {
    expect(() => turnsWith(source)).toThrow(
      'Images with a file_id or an unknown kind of source cannot be read by this model. Send them as base64 or by URL.',
    );
  });
});
