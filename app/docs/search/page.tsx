import type { Metadata } from 'next';
import Link from 'next/link';
import { pagePath } from '../../../lib/docs/page';
import { documents } from '../../../lib/http/routes';
import { gateway } from '../../../lib/runtime';

export const metadata: Metadata = { title: 'Search the docs' };

const MAX_RESULTS = 30;
const MAX_QUERY_CHARS = 200;

export default async function DocsSearchPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { q } = await searchParams;
  const text = (typeof q === 'string' ? q : '').trim().slice(0, MAX_QUERY_CHARS);
  const found = (await documents.index(gateway())).find(text, MAX_RESULTS);
  return (
    <div className="max-w-3xl">
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">{text === '' ? 'Search' : `Results for “${text}”`}</h1>
      {found.length === 0 ? (
        <p className="mt-3 text-base text-muted">
          {text === ''
            ? 'Type words into the search field above: the name of a field, an error code, a topic.'
            : 'No page contains all of these words. Try fewer words, or another one.'}
        </p>
      ) : (
        <ol className="mt-5 flex flex-col gap-5">
          {found.map(({ slug, page, title, anchor, excerpt }) => (
            <li key={`${slug}#${anchor}`}>
              <Link
                href={`${pagePath(slug)}${anchor === '' ? '' : `#${anchor}`}`}
                prefetch={false}
                className="font-medium underline decoration-line-strong underline-offset-4 hover:decoration-current"
              >
                {title}
              </Link>
              <span className="text-sm text-muted"> in {page}</span>
              <p className="mt-0.5 text-sm text-muted [overflow-wrap:anywhere]">{excerpt}</p>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
