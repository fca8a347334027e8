import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import type { ReactNode } from 'react';
import { highlightedCode } from '../components/code/highlighted-code';
import { CopyButton } from '../components/ui/copy-button';
import { ScrollRegion } from '../components/ui/scroll-region';

// Renders the Markdown of a model as React elements, so nothing that a model writes becomes HTML: tags are shown as text.
// Images are links, because loading them would tell another server about the conversation.

export function Markdown({ text }: { readonly text: string }) {
  return <div className="flex flex-col gap-3 [overflow-wrap:anywhere]">{blocks(lexer(text))}</div>;
}

/** Only these open something outside of this page; `javascript:` and `data:` are shown as text. */
const LINK = /^(?:https?:|mailto:)/i;

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Block key={index} token={token as MarkedToken} />); // Safe: there are no extensions.
}

function Block({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'heading':
      return <p className={token.depth <= 2 ? 'text-lg font-semibold' : 'font-semibold'}>{inline(token.tokens)}</p>;
    case 'paragraph':
      return <p className="leading-6">{inline(token.tokens)}</p>;
    case 'text':
      return <span className="leading-6">{token.tokens ? inline(token.tokens) : token.text}</span>;
    case 'code':
      return <CodeBlock text={token.text} language={token.lang ?? ''} />;
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-muted">
          {blocks(token.tokens)}
        </blockquote>
      );
    case 'list':
      return <List list={token} />;
    case 'table':
      return <TableBlock table={token} />;
    case 'hr':
      return <hr className="border-line" />;
    case 'space':
    case 'def':
      return null;
    default:
      return <p className="leading-6">{inline([token])}</p>;
  }
}

function List({ list }: { readonly list: Tokens.List }) {
  const items = list.items.map((item, index) => (
    <li key={index} className="pl-1 marker:text-muted">
      {item.task && <span>{item.checked ? '☑ ' : '☐ '}</span>}
      {blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}
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

function TableBlock({ table }: { readonly table: Tokens.Table }) {
  return (
    <ScrollRegion label="Table" className="rounded-lg border border-line">
      <table className="w-full text-sm">
        <thead className="bg-sunken text-left">
          <tr>
            {table.header.map((cell, index) => (
              <th key={index} scope="col" className="px-3 py-1.5 font-medium">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at} className="border-t border-line">
              {row.map((cell, index) => (
                <td key={index} className="px-3 py-1.5 align-top">
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Code with a copy button. `language` is only shown. */
export function CodeBlock({ text, language }: { readonly text: string; readonly language: string }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line pl-3 text-xs text-muted">
        <span className="font-mono">{language.slice(0, 40)}</span>
        <CopyButton text={text} label="Copy the code" />
      </div>
      <ScrollRegion label={language === '' ? 'Code' : `Code: ${language.slice(0, 40)}`} className="max-h-120">
        <pre className="w-max min-w-full px-3 py-2.5 font-mono text-xs leading-5">
          <code>{highlightedCode(text)}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}

function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Inline key={index} token={token as MarkedToken} />); // Safe: there are no extensions.
}

function Inline({ token }: { readonly token: MarkedToken }) {
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inline(token.tokens)}</strong>;
    case 'em':
      return <em>{inline(token.tokens)}</em>;
    case 'del':
      return <del>{inline(token.tokens)}</del>;
    case 'codespan':
      return <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-xs">{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <OutsideLink href={token.href}>{inline(token.tokens)}</OutsideLink>;
    case 'image':
      return <OutsideLink href={token.href}>Image: {token.text === '' ? token.href : token.text}</OutsideLink>;
    case 'escape':
      return token.text;
    case 'text':
      return 'tokens' in token && token.tokens ? inline(token.tokens) : plain(token.text);
    default:
      // Tags of HTML, as text.
      return token.raw;
  }
}

function OutsideLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  if (!LINK.test(href)) return <span title={href}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="text-accent underline">
      {children}
    </a>
  );
}

/** Text may name these characters as HTML does. */
function plain(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
