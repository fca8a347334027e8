'use client';

import { CircleAlert, Sparkles } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import type { CreditsJson } from '../../../lib/contract/credits';
import { RefillButton } from '../components/credits/refill-button';
import { useRefusal } from '../components/shell/organization';
import { Button } from '../components/ui/button';
import { Kbd } from '../components/ui/kbd';
import { usd } from '../../../lib/domain/money';
import type { Estimate } from '../components/video-form/estimate';
import { lacksCredit, PriceLines } from './price-lines';

export interface GenerateBarProps {
  readonly estimate: Estimate;
  readonly credits: CreditsJson;
  readonly busy: boolean;
  readonly mayEdit: boolean;
  /** The server's error for the whole request. */
  readonly refusal: string | undefined;
  onRefill(): Promise<void>;
}

/** The price, its calculation, the remaining credits, and the generate button. */
export function GenerateBar({ estimate, credits, busy, mayEdit, refusal, onRefill }: GenerateBarProps) {
  const { quote, error } = estimate;
  const mayNot = useRefusal('generate videos');
  const isShort = quote !== undefined && lacksCredit(quote, credits);
  const reason = mayEdit ? (isShort ? undefined : error && errorWords(error.param, error.message)) : mayNot;
  const isApple = useSyncExternalStore(
    never,
    () => navigator.userAgent.includes('Mac'),
    () => false,
  );
  const isBlocked = !mayEdit || isShort || error !== undefined || quote === undefined;
  return (
    <div className="flex flex-col gap-2.5">
      <PriceLines estimate={estimate} credits={credits} className="max-sm:hidden" />
      {refusal && (
        <p
          role="alert"
          className="flex items-start gap-2 rounded-lg border border-bad/30 bg-bad/8 px-3 py-2 text-xs text-bad"
        >
          <CircleAlert size={14} aria-hidden="true" className="mt-0.5 shrink-0" />
          {refusal}
        </p>
      )}
      <Button
        variant="primary"
        type="submit"
        busy={busy}
        disabled={isBlocked}
        aria-describedby="generate-reason"
        className="h-11! w-full text-base!"
        data-testid="generate"
      >
        {!busy && <Sparkles size={16} aria-hidden="true" />}
        {isShort
          ? `Needs ${usd(quote?.total ?? '0')} · not enough credit`
          : `Generate${quote ? ` · ${usd(quote.total)}` : ''}`}
      </Button>
      <div id="generate-reason" className="flex min-h-5 items-center justify-between gap-3 text-xs text-muted">
        {isShort ? (
          credits.mode === 'test' && mayEdit ? (
            <>
              <span>Test credits are free.</span>
              <RefillButton credits={credits} label="Refill test credits" onRefill={onRefill} />
            </>
          ) : (
            <span>Ask the operator of this installation for more credits, or use test mode.</span>
          )
        ) : reason ? (
          <span>{reason}</span>
        ) : (
          <>
            <span>Charged only if it succeeds.</span>
            <span className="max-sm:hidden">
              <Kbd keys={[isApple ? '⌘ Enter' : 'Ctrl Enter']} />
            </span>
          </>
        )}
      </div>
    </div>
  );
}

const never = () => () => undefined;

/** Returns a short instruction for a missing field, otherwise the message of the API. */
function errorWords(param: string | undefined, message: string): string {
  switch (param) {
    case 'prompt':
      return message.startsWith('prompt is missing') ? 'Describe the video first.' : message;
    case 'image_list':
      return message.includes('needs exactly two images')
        ? 'Add both frames: this model needs exactly two images.'
        : message.includes('needs references')
          ? 'Add at least one reference.'
          : message;
    case 'image_url':
      return message.includes('needs image_url') ? 'Add the first frame.' : message;
    case 'video_url':
      return message.includes('needs video_url') ? 'Add the video to edit.' : message;
    case 'input_seconds':
      return message.includes('needs input_seconds')
        ? 'Enter the length of the source video: the price depends on it.'
        : message;
    default:
      return message;
  }
}
