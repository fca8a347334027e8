import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names';
import { ScrollRegion } from '../ui/scroll-region';
import { CodeBlock } from './code-block';

// Renders Markdown as React elements, so nothing in it becomes HTML: tags are shown as text. Images are links.

/** What differs between the places that show Markdown. */
export interface MarkdownParts {
  readonly heading: (heading: Tokens.Heading, children: ReactNode) => ReactNode;
  readonly link: (href: string, children: ReactNode) => ReactNode;
  readonly tableClass?: string;
  /** Hides HTML comments between blocks, which are meant for the authors. */
  readonly hidesComments?: boolean;
  /** The copy button of a code block, if it is not the usual one. */
  readonly copyCode?: (text: string) => ReactNode;
}

export function MarkdownBlocks({ text, parts }: { readonly text: string; readonly parts: MarkdownParts }) {
  return blocks(lexer(text), parts);
}

function blocks(tokens: readonly Token[], parts: MarkdownParts): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} parts={parts} />); // Safe: there are no extensions.
}

function Block({ token, parts }: { readonly token: MarkedToken; readonly parts: MarkdownParts }) {
  switch (token.type) {
    case 'heading':
      return parts.heading(token, inline(token.tokens, parts));
    case 'paragraph':
      return <p className="leading-6">{inline(token.tokens, parts)}</p>;
    case 'text':
      return <span className="leading-6">{token.tokens ? inline(token.tokens, parts) : token.text}</span>;
    case 'code':
      return <CodeBlock text={token.text} language={token.lang ?? ''} copy={parts.copyCode?.(token.text)} />;
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-muted">
          {blocks(token.tokens, parts)}
        </blockquote>
      );
    case 'list':
      return <List list={token} parts={parts} />;
    case 'table':
      return <TableBlock table={token} parts={parts} />;
    case 'hr':
      return <hr className="border-line" />;
    case 'space':
    case 'def':
      return null;
    default:
      if (parts.hidesComments && token.raw.startsWith('<!--')) return null;
      return <p className="leading-6">{inline([token], parts)}</p>;
  }
}

function List({ list, parts }: { readonly list: Tokens.List; readonly parts: MarkdownParts }) {
  const items = list.items.map((item, index) => (
    <li key={index} className="pl-1 marker:text-muted">
      {item.task && <span>{item.checked ? '☑ ' : '☐ '}</span>}
      {blocks(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        parts,
      )}
    </li>
  ));
  return list.ordered ? (
    <ol start={list.start === '' ? 1 : list.start} className="flex list-decimal flex-col gap-1 pl-6">
      {items}
    </ol>
  ) : (
    <ul className="flex list-disc flex-col gap-1 pl-5">{items}</ul>
  );
}

function TableBlock({ table, parts }: { readonly table: Tokens.Table; readonly parts: MarkdownParts }) {
  return (
    <ScrollRegion label="Table" className="rounded-lg border border-line">
      <table className={classNames('w-full text-sm', parts.tableClass)}>
        <thead className="bg-sunken text-left">
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" className="px-3 py-1.5 font-medium">
                {inline(cell.tokens, parts)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at} className="border-t border-line">
              {row.map((cell, index) => (
                <td key={index} className="px-3 py-1.5 align-top">
                  {inline(cell.tokens, parts)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function inline(tokens: readonly Token[], parts: MarkdownParts): ReactNode {
  return tokens.map((token, index) => <Inline key={index} token={token as MarkedToken} parts={parts} />); // Safe: there are no extensions.
}

function Inline({ token, parts }: { readonly token: MarkedToken; readonly parts: MarkdownParts }) {
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inline(token.tokens, parts)}</strong>;
    case 'em':
      return <em>{inline(token.tokens, parts)}</em>;
    case 'del':
      return <del>{inline(token.tokens, parts)}</del>;
    case 'codespan':
      return <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-xs">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return parts.link(token.href, inline(token.tokens, parts));
    case 'image':
      return parts.link(token.href, `Image: ${token.text === '' ? token.href : token.text}`);
    case 'escape':
      return token.text;
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens, parts) : plain(token.text);
    default:
      // HTML tags, shown as text.
      return token.raw;
  }
}

/** Decodes the HTML entities that a text may contain. */
function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
