import type { Metadata } from 'next';
import Link from 'next/link';
import { pagePath } from '../../lib/docs/page';
import { documents } from '../../lib/http/routes';
import { gateway } from '../../lib/runtime';
import { CopyButton } from '../console/components/ui/copy-button';
import { linkClass } from '../console/components/ui/link-class';

export const metadata: Metadata = { title: 'Documentation' };

/** Files for tools and language models. */
const files = [
  { path: '/openapi.json', text: 'the API in OpenAPI 3.1' },
  { path: '/asyncapi.json', text: 'the sockets in AsyncAPI 3' },
  { path: '/llms.txt', text: 'the list of pages for language models' },
  { path: '/llms-full.txt', text: 'all pages in one file' },
];

export default async function DocsIndex() {
  const { baseUrl } = gateway();
  const pages = await documents.pages(gateway());
  const groups = [...new Set(pages.map(({ group }) => group))];
  return (
    <div className="flex max-w-5xl flex-col gap-8">
      <div>
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">Documentation</h1>
        <p className="mt-2 text-base text-muted">
          One API for videos, messages and speech, with many providers behind it. The samples call this installation:
        </p>
        <div className="mt-4 flex max-w-md items-center justify-between gap-2 rounded-lg border border-line bg-sunken pl-3">
          <code className="min-w-0 truncate font-mono text-sm">{baseUrl}</code>
          <CopyButton text={baseUrl} label="Copy the base URL" />
        </div>
      </div>
      {groups.map((group) => (
        <section key={group}>
          <h2 className="mb-3 text-lg font-semibold">{group}</h2>
          <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {pages
              .filter((page) => page.group === group)
              .map(({ slug, title, description }) => (
                <li key={slug}>
                  <Link
                    href={pagePath(slug)}
                    prefetch={false}
                    className="block h-full rounded-xl border border-line bg-surface p-4 transition-colors hover:border-line-strong"
                  >
                    <span className="font-medium">{title.replace(/: reference$/, '')}</span>
                    <span className="mt-1 block text-sm text-muted">{description}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <section>
        <h2 className="mb-3 text-lg font-semibold">For tools</h2>
        <ul className="flex flex-col gap-1.5 text-sm">
          {files.map(({ path, text }) => (
            <li key={path}>
              <a href={path} className={`${linkClass} font-mono`}>
                {path}
              </a>{' '}
              <span className="text-muted">{text}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
