'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { CreatedKeyJson } from '../../../../lib/contract/keys';
import type { Mode } from '../../../../lib/domain/video';
import { highlightedCode } from '../../components/code/highlighted-code';
import { Button } from '../../components/ui/button';
import { Card, Section } from '../../components/ui/card';
import { CopyButton } from '../../components/ui/copy-button';
import { FormError } from '../../components/ui/field';
import { linkClass } from '../../components/ui/link-class';
import { PageHeading } from '../../components/ui/page-heading';
import { ScrollRegion } from '../../components/ui/scroll-region';
import { useAsyncAction } from '../../components/ui/use-async-action';
import { send } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { paths } from '../../paths';
import { keyPlaceholder, setupCards, type SetupCard, type SetupFacts, type SetupStep } from './setup-cards';

/** Setup instructions for tools and SDKs. A key that is created here appears in them, and is not stored. */
export function SetupView({
  mode,
  mayEdit,
  ...facts
}: Omit<SetupFacts, 'apiKey'> & { readonly mode: Mode; readonly mayEdit: boolean }) {
  const [key, setKey] = useState<string>();
  const { busy, error, run } = useAsyncAction('The key could not be created. Try again.');
  const create = () =>
    run(async () => {
      setKey((await send<CreatedKeyJson>('POST', apiPaths.keys(), { name: 'Setup of a tool', mode })).key);
    });

  return (
    <>
      <PageHeading
        title="Set up a tool"
        parent={{ title: 'API keys', path: paths.keys(), here: 'Set up a tool' }}
        description={
          key === undefined ? (
            <>
              Point your tools and SDKs at this installation. Replace <code>{keyPlaceholder(mode)}</code> with a key
              {mayEdit ? ', or create one here.' : ' of yours.'}
            </>
          ) : (
            <>
              The texts below contain your new key. It is not shown again after you leave this page; you can revoke it
              on{' '}
              <Link href={paths.keys()} className={linkClass}>
                the API keys page
              </Link>
              .
            </>
          )
        }
        actions={
          mayEdit &&
          key === undefined && (
            <Button variant="primary" busy={busy} onClick={() => void create()}>
              Create a {mode} key
            </Button>
          )
        }
      />
      <FormError>{error}</FormError>
      <div className="grid gap-x-6 gap-y-8 lg:grid-cols-2">
        {setupCards({ ...facts, apiKey: key ?? keyPlaceholder(mode) }).map((card) => (
          <SetupSection key={card.id} card={card} />
        ))}
      </div>
    </>
  );
}

function SetupSection({ card: { id, name, about, steps } }: { readonly card: SetupCard }) {
  return (
    <Section id={id} title={name} description={about}>
      <div className="flex flex-col gap-3">
        {steps.map((step) => (
          <Step key={step.title} card={name} step={step} />
        ))}
      </div>
    </Section>
  );
}

function Step({ card, step: { title, text, file } }: { readonly card: string; readonly step: SetupStep }) {
  return (
    <Card>
      <div className="flex min-h-9 items-center justify-between gap-2 border-b border-line py-1 pr-1 pl-3.5 text-xs text-muted">
        <span>{title}</span>
        <CopyButton text={text} label={`Copy for ${card}: ${title}`} />
      </div>
      <ScrollRegion label={`${card}: ${title}`} className="max-h-80">
        <pre data-code={file ?? 'sh'} className="w-max min-w-full px-3.5 py-3 font-mono text-xs leading-5">
          <code>{highlightedCode(text)}</code>
        </pre>
      </ScrollRegion>
    </Card>
  );
}
