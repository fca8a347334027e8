'use client';

import { useCodeLanguage } from '../components/code/code-language';
import { highlightedCode } from '../components/code/highlighted-code';
import type { Mode } from '../../../lib/domain/video';
import { CopyButton } from '../components/ui/copy-button';
import { ScrollRegion } from '../components/ui/scroll-region';
import { Tabs } from '../components/ui/tabs';
import { firstSnippets } from './first-request';

/** The first request of a new user as a snippet to paste into a terminal. */
export function FirstSnippet({
  baseUrl,
  mode,
  apiKey,
}: {
  readonly baseUrl: string;
  readonly mode: Mode;
  readonly apiKey?: string;
}) {
  const [wanted, choose] = useCodeLanguage();
  const snippets = firstSnippets(baseUrl, mode, apiKey);
  const shown = snippets.find(({ language }) => language === wanted) ?? snippets[0];
  if (!shown) return null;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <Tabs
        label="The request in"
        value={shown.language}
        onChange={choose}
        actions={<CopyButton text={shown.code} label="Copy the snippet" />}
        tabs={snippets.map(({ language, title, code }) => ({
          value: language,
          title,
          children: (
            <ScrollRegion label={`The request in ${title}`} className="max-h-80 focus-visible:-outline-offset-2">
              <pre data-code={language} className="w-max min-w-full px-3.5 py-3 font-mono text-xs leading-5">
                <code>{highlightedCode(code)}</code>
              </pre>
            </ScrollRegion>
          ),
        }))}
      />
    </div>
  );
}
