'use client';

import { messageCost } from '../../../lib/billing/message-cost';
import { usdText } from '../../../lib/domain/money';
import type { Mode } from '../../../lib/domain/video';
import { ExactMoney } from '../components/ui/money';
import { bindingOf } from '../models/binding-of';
import type { Settings, ShownModel } from './conversation';
import type { RequestBody } from './request';
import { useTokenCount } from './use-token-count';

/** The tokens of the next request and what it can cost, before it is sent. */
export function EstimateLine({
  body,
  settings,
  shown,
  name,
  mode,
}: {
  readonly body: RequestBody | undefined;
  readonly settings: Settings;
  readonly shown: ShownModel;
  /** Shown where two models are compared. */
  readonly name: string | undefined;
  readonly mode: Mode;
}) {
  const counting = useTokenCount(body, mode);
  const { model, offered, own } = shown;
  const binding = bindingOf(model.bindings, settings.provider, offered, mode);
  if (!body || !counting || !binding) return null;
  if ('error' in counting) return <p className="text-bad">{counting.error}</p>;
  const { tokens, isEstimate } = counting.count;
  const most = settings.maxTokens;
  const cost = (output: number) =>
    usdText(
      messageCost(
        { input: tokens, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output, webSearches: 0 },
        binding.price,
      ),
    );
  return (
    <p className="flex flex-wrap gap-x-3 tabular-nums" data-testid="estimate">
      {name !== undefined && <span className="font-medium text-ink">{name}</span>}
      <span title={isEstimate ? 'Estimated by the gateway; you pay for what the provider counts.' : undefined}>
        {isEstimate && 'About '}
        {tokens.toLocaleString('en')} input tokens
      </span>
      {mode === 'live' && own.includes(binding.providerId) ? (
        <span>No credits: your account at {binding.providerId} pays</span>
      ) : (
        <span>
          Input <ExactMoney amount={cost(0)} />, at most <ExactMoney amount={cost(most)} /> with{' '}
          {most.toLocaleString('en')} output tokens
        </span>
      )}
    </p>
  );
}
