'use client';

import { CircleCheck, CircleX, Clock, LoaderCircle, Plus, TriangleAlert } from 'lucide-react';
import { Button } from '../../console/components/ui/button';
import type { ButtonStyle } from '../../console/components/ui/button-class';
import { Card } from '../../console/components/ui/card';
import { Chip } from '../../console/components/ui/chip';
import { CopyButton } from '../../console/components/ui/copy-button';
import { Kbd } from '../../console/components/ui/kbd';
import { Logo, Wordmark } from '../../console/components/ui/logo';
import { ExactMoney, Money } from '../../console/components/ui/money';
import { PatchArt } from '../../console/components/ui/patch-art';
import { TimeAgo } from '../../console/components/ui/time-ago';
import { Tooltip } from '../../console/components/ui/tooltip';
import { Example, Room } from './example';

const VARIANTS: readonly NonNullable<ButtonStyle['variant']>[] = ['primary', 'secondary', 'quiet', 'danger'];
/** 2026-11-22, 11:57 UTC: three minutes before the fixed time of the page. */
const RECENT_SECONDS = 1_795_348_620;

export function Controls() {
  return (
    <>
      <Example file="button">
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
        <Button size="small">small</Button>
        <Button size="icon" aria-label="Add">
          <Plus size={15} aria-hidden="true" />
        </Button>
        <Button disabled>disabled</Button>
        <Button variant="primary" busy>
          busy
        </Button>
      </Example>
      <Example file="copy-button">
        <CopyButton text="sandbox-t2v" label="Copy the id" />
        <CopyButton text="sandbox-t2v" label="Copy the id" visible />
      </Example>
      <Example file="chip">
        <Chip tone="neutral" icon={Clock}>
          Queued
        </Chip>
        <Chip tone="info" icon={LoaderCircle} spin>
          In progress
        </Chip>
        <Chip tone="good" icon={CircleCheck}>
          Completed
        </Chip>
        <Chip tone="warn" icon={TriangleAlert}>
          Expires soon
        </Chip>
        <Chip tone="bad" icon={CircleX}>
          Failed
        </Chip>
        <Chip tone="accent">Test</Chip>
      </Example>
      <Example file="kbd">
        <Kbd keys={['?']} />
        <Kbd keys={['G', 'K']} />
        <Kbd keys={['Ctrl Enter']} />
      </Example>
      <Example file="money">
        <Money amount="1234.5" />
        <Money amount="0.000003" />
        <Money amount="-12" />
        <ExactMoney amount="0.000003" />
      </Example>
      <Example file="tooltip">
        <Tooltip content="Hover, focus or touch shows this; Escape hides it.">With a tooltip</Tooltip>
      </Example>
      <Example file="time-ago">
        <TimeAgo at={RECENT_SECONDS} />
        <TimeAgo at={RECENT_SECONDS + 30 * 86_400} />
      </Example>
      <Example file="card">
        <Card className="p-4">A card</Card>
      </Example>
      <Example file="logo">
        <Logo />
        <Logo size={40} />
        <Wordmark />
      </Example>
      <Example file="patch-art">
        <Room>
          <div className="relative h-40 overflow-hidden rounded-xl border border-line">
            <PatchArt />
          </div>
        </Room>
      </Example>
    </>
  );
}
