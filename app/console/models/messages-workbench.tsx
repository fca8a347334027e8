'use client';

import { MessagesSquare } from 'lucide-react';
import Link from 'next/link';
import { useMemo, useState } from 'react';
import { messageLines, type TokenCounts } from '../../../lib/billing/message-cost';
import { presentLines } from '../../../lib/billing/quote';
import type { MessagesModel } from '../../../lib/domain/model';
import type { ProviderId } from '../../../lib/domain/ids';
import { totalOf, usdText } from '../../../lib/domain/money';
import type { Mode } from '../../../lib/domain/video';
import { codeSamples } from '../components/code/code-samples';
import { CodeTabs } from '../components/code/code-tabs';
import { buttonClass } from '../components/ui/button-class';
import { Section } from '../components/ui/card';
import { paths } from '../paths';
import { bindingOf } from './binding-of';
import { NumberField } from './number-field';
import { ProviderChoice } from './provider-choice';
import { QuotePanel } from './quote-panel';

/** The price of a message by its tokens, and the request as code. */
export function MessagesWorkbench({
  model,
  offered,
  pin,
  mode,
  baseUrl,
}: {
  readonly model: MessagesModel;
  readonly offered: readonly ProviderId[];
  readonly pin?: ProviderId | undefined;
  readonly mode: Mode;
  readonly baseUrl: string;
}) {
  const [provider, setProvider] = useState(pin);
  const [tokens, setTokens] = useState({ input: 2_000, cacheRead: 0, cacheWrite: 0, output: 500 });
  const set = (part: Partial<typeof tokens>) => setTokens({ ...tokens, ...part });
  const binding = bindingOf(model.bindings, provider, offered, mode);
  const samples = useMemo(() => {
    const maxTokens = Math.max(1, Math.min(tokens.output, model.messages.maxOutputTokens));
    const body = {
      model: provider === undefined ? model.id : `${provider}/${model.id}`,
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: 'Say hello in one sentence.' }],
    };
    return codeSamples({ baseUrl, method: 'POST', path: '/v1/messages', body, mode });
  }, [baseUrl, mode, model, provider, tokens.output]);
  if (!binding) return null;
  const counts: TokenCounts = {
    input: tokens.input,
    cacheRead: tokens.cacheRead,
    cacheWrite5m: tokens.cacheWrite,
    cacheWrite1h: 0,
    output: tokens.output,
    webSearches: 0,
  };
  const lines = messageLines(counts, binding.price);
  const max = model.messages.contextTokens;
  return (
    <Section
      id="price"
      title="Price and code"
      actions={
        <Link
          href={paths.messages({ model: provider === undefined ? model.id : `${provider}/${model.id}` })}
          prefetch={false}
          className={buttonClass({})}
        >
          <MessagesSquare size={14} aria-hidden="true" /> Try it in Messages
        </Link>
      }
    >
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <ProviderChoice bindings={model.bindings} offered={offered} value={provider} onChange={setProvider} />
          <div className="grid grid-cols-2 gap-3">
            <NumberField label="Input tokens" value={tokens.input} max={max} onChange={(input) => set({ input })} />
            <NumberField
              label="Output tokens"
              value={tokens.output}
              max={model.messages.maxOutputTokens}
              onChange={(output) => set({ output })}
            />
            <NumberField
              label="Cache read"
              value={tokens.cacheRead}
              max={max}
              onChange={(cacheRead) => set({ cacheRead })}
            />
            <NumberField
              label="Cache write"
              value={tokens.cacheWrite}
              max={max}
              onChange={(cacheWrite) => set({ cacheWrite })}
            />
          </div>
          <QuotePanel
            quote={{ currency: 'USD', lines: presentLines(lines), total: usdText(totalOf(lines)) }}
            provider={binding.providerId}
            note="You are charged for the tokens that the provider counts. Thinking tokens count as output."
          />
        </div>
        <CodeTabs label="Send a message" samples={samples} mode={mode} />
      </div>
    </Section>
  );
}
