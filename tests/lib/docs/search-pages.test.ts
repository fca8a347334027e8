import { describe, expect, it } from 'vitest';
import { pageOf } from '../../../lib/docs/page';
import { createDocsIndex } from '../../../lib/docs/search-pages';

const index = createDocsIndex([
  pageOf(
    'errors',
    'Use',
    '# Errors\n\nEvery webhook may fail.\n\n## Codes\n\nThe code `video_expired` means that the file is gone.',
  ),
  pageOf('webhooks', 'Use', '# Webhooks\n\nA delivery is signed.\n\n## Signature\n\nVerify the HMAC of each webhook.'),
]);

describe('the search in the documentation', () => {
  it('prefers headings to text', () => {
    expect(index.find('webhook', 10).map(({ slug, title }) => `${slug} ${title}`)).toEqual([
      'webhooks Webhooks',
      'webhooks Signature',
      'errors Errors',
    ]);
  });

  it('needs every word, in any case', () => {
    expect(index.find('WEBHOOK hmac', 10)).toEqual([
      {
        slug: 'webhooks',
        page: 'Webhooks',
        title: 'Signature',
        anchor: 'signature',
        excerpt: 'Verify the HMAC of each webhook.',
      },
    ]);
    expect(index.find('webhook nonsense', 10)).toEqual([]);
  });

  it('finds a name as it is written in code', () => {
    expect(index.find('video_expired', 10).map(({ anchor }) => anchor)).toEqual(['codes']);
  });

  it('finds nothing for an empty text, and at most as many as wanted', () => {
    expect(index.find('  ', 10)).toEqual([]);
    expect(index.find('webhook', 1)).toHaveLength(1);
  });
});
