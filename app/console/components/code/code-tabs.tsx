'use client';

import type { ReactNode } from 'react';
import type { Mode } from '../../../../lib/domain/video';
import { CopyButton } from '../ui/copy-button';
import { ScrollRegion } from '../ui/scroll-region';
import { Tabs } from '../ui/tabs';
import { useCodeLanguage } from './code-language';
import type { CodeSample } from './code-request';
import { highlightedCode } from './highlighted-code';

/** One request in several languages, with a copy button and the instructions to run it. */
export function CodeTabs({
  label,
  samples,
  mode,
  note,
}: {
  readonly label: string;
  readonly samples: readonly CodeSample[];
  readonly mode: Mode;
  readonly note?: ReactNode;
}) {
  const [wanted, choose] = useCodeLanguage();
  const shown = samples.find(({ language }) => language === wanted) ?? samples[0];
  if (!shown) return null;
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <Tabs
        label={label}
        value={shown.language}
        onChange={choose}
        actions={<CopyButton text={shown.code} label={`Copy ${shown.title}`} />}
        tabs={samples.map((sample) => ({
          value: sample.language,
          title: sample.title,
          children: (
            <ScrollRegion label={`${label}: ${sample.title}`} className="max-h-160 focus-visible:-outline-offset-2">
              <pre
                data-code={sample.language}
                data-file={sample.file}
                className="w-max min-w-full px-3.5 py-3 font-mono text-xs leading-5"
              >
                <code>{highlightedCode(sample.code)}</code>
              </pre>
            </ScrollRegion>
          ),
        }))}
      />
      <div className="space-y-1 border-t border-line px-3.5 py-2.5 text-xs text-muted">
        <p>
          {shown.scope ? `Needs a live key with the scope ${shown.scope}` : `Needs a ${mode} key`} in the environment:{' '}
          <code className="font-mono break-all">export PATCHBAY_API_KEY=pb_{shown.scope ? 'live' : mode}_…</code>
        </p>
        {shown.language !== 'curl' && (
          <p>
            Save as <code className="font-mono">{shown.file}</code>
            {shown.install && (
              <>
                , run <code className="font-mono">{shown.install}</code> once
              </>
            )}
            , then <code className="font-mono">{shown.run}</code>.
          </p>
        )}
        {note}
      </div>
    </div>
  );
}
