import type { ReactNode } from 'react';
import { highlightedCode } from '../code/highlighted-code';
import { CopyButton } from '../ui/copy-button';
import { ScrollRegion } from '../ui/scroll-region';

/** Code with a copy button. `language` is only shown. */
export function CodeBlock({
  text,
  language,
  copy = <CopyButton text={text} label="Copy the code" />,
}: {
  readonly text: string;
  readonly language: string;
  readonly copy?: ReactNode;
}) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex items-center justify-between border-b border-line pl-3 text-xs text-muted">
        <span className="font-mono">{language.slice(0, 40)}</span>
        {copy}
      </div>
      <ScrollRegion label={language === '' ? 'Code' : `Code: ${language.slice(0, 40)}`} className="max-h-120">
        <pre className="w-max min-w-full px-3 py-2.5 font-mono text-xs leading-5">
          <code>{highlightedCode(text)}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}
