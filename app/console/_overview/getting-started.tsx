'use client';

import { useState, type ReactNode } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { CreateKeyDialog } from '../_keys/key-dialogs';
import { Button } from '../_ui/button';
import { Card } from '../_ui/card';
import { CodeBlock } from '../_ui/code-block';
import { videoSnippet } from './video-snippet';

/** Stands where the videos will be; the page looks every two seconds whether the first one has arrived. */
export function GettingStarted({ mode, baseUrl, mayCreateKey }: { readonly mode: Mode; readonly baseUrl: string; readonly mayCreateKey: boolean }) {
  const [creating, setCreating] = useState(false);
  return (
    <section aria-labelledby="getting-started">
      <Card className="grid lg:grid-cols-[5fr_7fr]">
        <div className="flex flex-col gap-5 p-5 sm:p-6">
          <div>
            <h2 id="getting-started" className="text-lg font-semibold tracking-[-0.01em]">
              Make your first {mode} video
            </h2>
            <p className="mt-1 text-sm text-muted">
              {mode === 'test'
                ? 'Test keys are free: every model of the catalog is served by the sandbox on this machine, and test credits pay for it.'
                : 'Live keys spend real credits. The sandbox model below runs on this machine for $0.01 per second.'}
            </p>
          </div>
          <ol className="flex flex-col gap-4">
            <Step number={1} title={`Have a ${mode} key`}>
              {mayCreateKey ? (
                <Button size="small" onClick={() => setCreating(true)}>
                  Create a {mode} key
                </Button>
              ) : (
                <p className="text-sm text-muted">Ask somebody of your organisation who may create one.</p>
              )}
            </Step>
            <Step number={2} title="Put it into your shell">
              <code className="block overflow-x-auto font-mono text-xs text-muted">export PATCHBAY_API_KEY=pb_{mode}_…</code>
            </Step>
            <Step number={3} title="Run the request">
              <p className="flex items-center gap-2 text-sm text-muted">
                <span aria-hidden="true" className="relative grid size-4 place-items-center">
                  <span className="absolute size-4 animate-ping rounded-full bg-accent/35" />
                  <span className="size-2 rounded-full bg-accent" />
                </span>
                Waiting for your first request…
              </p>
            </Step>
          </ol>
        </div>
        <div className="flex min-w-0 flex-col justify-center border-line bg-canvas p-5 max-lg:border-t sm:p-6 lg:border-l">
          <CodeBlock title="curl" code={videoSnippet(baseUrl)} />
          <p className="mt-3 text-xs text-muted">The answer has an id and the status “queued”. The video appears here as soon as it is accepted.</p>
        </div>
      </Card>
      {creating && <CreateKeyDialog mode={mode} baseUrl={baseUrl} onClose={() => setCreating(false)} />}
    </section>
  );
}

function Step({ number, title, children }: { readonly number: number; readonly title: string; readonly children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <span aria-hidden="true" className="mt-px grid size-5 shrink-0 place-items-center rounded-full border border-line-strong text-2xs font-semibold text-muted tabular-nums">
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
        {children}
      </div>
    </li>
  );
}
