import type { ReactNode } from 'react';
import { MarkdownBlocks, type MarkdownParts } from '../components/markdown/markdown-blocks';

// Renders the Markdown of a model. Images are links, because loading them would tell another server about the
// conversation.

export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="flex flex-col gap-3 [overflow-wrap:anywhere]">
      <MarkdownBlocks text={text} parts={parts} />
    </div>
  );
}

/** Links with other schemes, such as `javascript:` and `data:`, are shown as text. */
const LINK = /^(?:https?:|mailto:)/i;

const parts: MarkdownParts = {
  heading: ({ depth }, children) => (
    <p className={depth <= 2 ? 'text-lg font-semibold' : 'font-semibold'}>{children}</p>
  ),
  link: (href, children) => <OutsideLink href={href}>{children}</OutsideLink>,
};

function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!LINK.test(href)) return <span title={href}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
      {children}
    </a>
  );
}
