import { describe, expect, it } from 'vitest';
import { createAnchors, pageOf, pagePath, resolveLink, sectionsOf } from '../../../lib/docs/page';

const MARKDOWN = `# Videos

Submit a \`video\`, **poll** it.

## The price, in detail

| name | meaning |
| ---- | ------- |
| \`a\` | first   |

- one
- [two](errors.md)

### Price

## Price
`;

describe('pageOf', () => {
  it('reads the title and the first paragraph as plain text', () => {
    expect(pageOf('videos', 'Use', MARKDOWN)).toMatchObject({
      title: 'Videos',
      description: 'Submit a video, poll it.',
    });
  });

  it('shortens a long paragraph at a sentence', () => {
    const { description } = pageOf('a', 'b', `# A\n\n${'Short sentence. '.repeat(20)}`);
    expect(description).toMatch(/^(?:Short sentence\. ?)+$/);
    expect(description.length).toBeLessThan(161);
  });

  it('refuses a page without a title', () => {
    expect(() => pageOf('a', 'b', 'Text.')).toThrow('The page a has no title.');
  });
});

describe('sectionsOf', () => {
  it('has the text below each heading, with the anchors of a Git host', () => {
    expect(sectionsOf(pageOf('videos', 'Use', MARKDOWN))).toEqual([
      { title: 'Videos', anchor: '', depth: 1, text: 'Submit a video, poll it.' },
      {
        title: 'The price, in detail',
        anchor: 'the-price-in-detail',
        depth: 2,
        text: 'name meaning\na first\none\ntwo',
      },
      { title: 'Price', anchor: 'price', depth: 3, text: '' },
      { title: 'Price', anchor: 'price-1', depth: 2, text: '' },
    ]);
  });
});

describe('createAnchors', () => {
  it('counts equal headings', () => {
    const name = createAnchors();
    expect(['A b', 'A b', 'A-b!'].map(name)).toEqual(['a-b', 'a-b-1', 'a-b-2']);
  });
});

describe('resolveLink', () => {
  it.each([
    ['videos', 'errors.md', '/docs/errors'],
    ['videos', 'errors.md#codes', '/docs/errors#codes'],
    ['videos', '#codes', '#codes'],
    ['reference/videos', '../errors.md', '/docs/errors'],
    ['reference/videos', 'models.md#model', '/docs/reference/models#model'],
    ['videos', 'https://example.com/a.md', 'https://example.com/a.md'],
    ['videos', '/console', '/console'],
  ])('in %s: %s leads to %s', (slug, href, expected) => {
    expect(resolveLink(slug, href)).toBe(expected);
  });
});

it('the first page is at /docs', () => {
  expect([pagePath(''), pagePath('videos')]).toEqual(['/docs', '/docs/videos']);
});
