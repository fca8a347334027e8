'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { MessageDetails, RequestAttemptJson, SessionDetails } from '../../../lib/contract/requests';
import { Attempts } from '../components/request/attempts';
import { isRunning } from '../components/request/charge';
import { CostBreakdown } from '../components/request/cost-breakdown';
import { FailureNote } from '../components/request/failure-note';
import { keyNameOf } from '../components/request/key-name';
import { RequestColumns, RequestHead } from '../components/request/request-head';
import { useDetails } from '../components/request/use-details';
import { StaleError } from '../components/shell/request-error';
import type { Tone } from '../components/ui/chip';
import { elapsed, milliseconds } from '../components/ui/elapsed';
import { Fact, Facts, Id } from '../components/ui/facts';
import { linkClass } from '../components/ui/link-class';
import { useNow } from '../components/ui/now';
import { Panel } from '../components/ui/panel';
import { paths } from '../paths';
import { RequestTimeline } from './request-timeline';

const OUTCOMES: Readonly<Record<RequestAttemptJson['outcome'], { readonly tone: Tone; readonly word: string }>> = {
  served: { tone: 'good', word: 'Served' },
  lost: { tone: 'warn', word: 'Interrupted' },
  failed: { tone: 'bad', word: 'Failed' },
};

/** The texts and values in which the pages of messages and sessions differ. */
export interface AnswerWords {
  /** "message", "transcription" or "spoken text". */
  readonly noun: string;
  /** Such as "First token". */
  readonly firstResult: string;
  /** The labels of the two ids. */
  readonly idName: string;
  readonly requestIdName: string;
  /** The facts that come first, before those that both pages share. */
  readonly facts: ReactNode;
}

/**
 * A message or a session with all details, refreshed while it runs. `content` is the stored conversation or text, if it
 * is kept.
 */
export function AnswerView<Details extends MessageDetails | SessionDetails>({
  details: initial,
  apiPath,
  wordsOf,
  content,
}: {
  readonly details: Details;
  readonly apiPath: string;
  wordsOf(details: Details): AnswerWords;
  readonly content?: ReactNode;
}) {
  const { details, error, refresh } = useDetails(apiPath, initial, isRunning);
  const { id, mode, code, status, price, timeline, attempts } = details;
  const words = wordsOf(details);
  return (
    <>
      <RequestHead list={{ title: 'Requests', path: paths.requests({ mode }) }} id={id} request={details} />
      <div className="mb-4 empty:hidden">
        <StaleError error={error} onRetry={() => void refresh()} />
      </div>
      <RequestColumns
        main={
          <>
            {(status === 'failed' || status === 'partial') && (
              <FailureNote
                title={
                  status === 'failed'
                    ? `The ${words.noun} failed.`
                    : `The ${words.noun} ended early.${price.charged === '0' ? '' : ' What was delivered is charged.'}`
                }
                code={code}
                charged={price.charged !== '0'}
                partial={status === 'partial'}
              />
            )}
            <AnswerFacts details={details} words={words} />
          </>
        }
        side={
          <>
            <Panel title="Cost">
              <CostBreakdown
                held={price.held}
                charged={price.charged}
                calculation={price.calculation}
                ledger={price.ledger}
                ledgerPath={paths.ledger({ mode, subject: id })}
                note={
                  price.shared && price.ledger.length > 0
                    ? 'Messages of one key that run at the same time share one hold; its entries below are for all of them.'
                    : undefined
                }
              />
            </Panel>
            <Panel title="Attempts">
              {attempts.length === 0 ? (
                <p className="text-sm text-muted">
                  {isRunning(details) ? 'Attempts are recorded at the end.' : 'No attempts are recorded.'}
                </p>
              ) : (
                <Attempts
                  attempts={attempts.map(({ attempt, provider, upstream_model, outcome, code: why, duration_ms }) => ({
                    attempt,
                    provider,
                    upstreamModel: upstream_model,
                    ...OUTCOMES[outcome],
                    code: why,
                    durationMs: duration_ms,
                  }))}
                />
              )}
            </Panel>
          </>
        }
        rest={
          <>
            {content}
            <Panel title="Timeline" description="Times are UTC.">
              <RequestTimeline events={timeline} firstResult={words.firstResult} />
            </Panel>
          </>
        }
      />
    </>
  );
}

function AnswerFacts({
  details,
  words: { firstResult, facts, idName, requestIdName },
}: {
  readonly details: MessageDetails | SessionDetails;
  readonly words: AnswerWords;
}) {
  const nowMs = useNow();
  const { id, mode, key, request_id, provider, duration_ms, first_result_ms, created_at } = details;
  const upstreamModel = 'upstream_model' in details ? details.upstream_model : undefined;
  const copy = (name: string) => `Copy the ${name.toLowerCase()}`;
  return (
    <Facts>
      {facts}
      <Fact name={`${firstResult} after`}>
        {first_result_ms === undefined ? <Nothing /> : milliseconds(first_result_ms)}
      </Fact>
      <Fact name="Time taken">
        {duration_ms === undefined
          ? `${elapsed(Math.max(0, nowMs / 1000 - created_at))} so far`
          : milliseconds(duration_ms)}
      </Fact>
      <Fact name="Provider" wide>
        {provider ?? <Nothing />}
        {upstreamModel !== undefined && <span className="font-mono text-xs text-muted"> · {upstreamModel}</span>}
      </Fact>
      <Fact name="Key" wide>
        <Link href={paths.requests({ mode, key: key.id })} prefetch={false} className={linkClass}>
          {keyNameOf(key)}
        </Link>
      </Fact>
      <Fact name={idName} wide>
        <Id id={id} label={copy(idName)} isPages />
      </Fact>
      <Fact name={requestIdName} wide>
        <Id id={request_id} label={copy(requestIdName)} />
      </Fact>
    </Facts>
  );
}

/** The placeholder for a missing value. */
export function Nothing() {
  return <span className="text-muted">–</span>;
}
