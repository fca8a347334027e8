import Link from 'next/link';
import type { ReactNode } from 'react';
import { createAnchors, plainText, resolveLink } from '../../../lib/docs/page';
import { MarkdownBlocks, type MarkdownParts } from '../../console/components/markdown/markdown-blocks';
import { classNames } from '../../console/components/ui/class-names';
import { linkClass } from '../../console/components/ui/link-class';
import { CopySample } from './sample-key';

/** The text of a page. Headings have the anchors that links use; links to other pages stay in the documentation. */
export function DocsMarkdown({ slug, text }: { readonly slug: string; readonly text: string }) {
  return (
    <div className="flex flex-col gap-4 text-[0.9375rem] leading-6 [overflow-wrap:break-word]">
      <MarkdownBlocks text={text} parts={partsOf(slug)} />
    </div>
  );
}

function partsOf(slug: string): MarkdownParts {
  const nameHeading = createAnchors();
  return {
    heading: ({ depth, tokens }, children) => (
      <DocsHeading depth={depth} anchor={nameHeading(plainText(tokens))}>
        {children}
      </DocsHeading>
    ),
    link: (href, children) => <DocsLink target={resolveLink(slug, href)}>{children}</DocsLink>,
    copyCode: (text) => <CopySample text={text} />,
    hidesComments: true,
    tableClass: 'min-w-[40rem] [&_td:first-child_code]:whitespace-nowrap',
  };
}

function DocsHeading({
  depth,
  anchor,
  children,
}: {
  readonly depth: number;
  readonly anchor: string;
  readonly children: ReactNode;
}) {
  if (depth === 1) return <h1 className="text-2xl font-semibold tracking-[-0.02em]">{children}</h1>;
  const Heading = depth === 2 ? 'h2' : 'h3';
  return (
    <Heading
      id={anchor}
      className={classNames(
        'scroll-mt-20 font-semibold tracking-[-0.01em]',
        depth === 2 ? 'mt-6 border-t border-line pt-6 text-xl' : 'mt-3 text-lg',
      )}
    >
      <a href={`#${anchor}`} className="hover:underline hover:decoration-line-strong hover:underline-offset-4">
        {children}
      </a>
    </Heading>
  );
}

function DocsLink({ target, children }: { readonly target: string; readonly children: ReactNode }) {
  if (target.startsWith('/'))
    return (
      <Link href={target} prefetch={false} className={linkClass}>
        {children}
      </Link>
    );
  return (
    <a href={target} rel="noopener noreferrer" className={linkClass}>
      {children}
    </a>
  );
}
