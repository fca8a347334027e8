'use client';

import { Brain, CircleAlert, CircleStop, RotateCw, Square, Wrench } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useId, useState } from 'react';
import type { CodeValue } from '../components/code/code-request';
import { printJson } from '../components/code/print-value';
import { calculationLabel } from '../components/price/price-labels';
import { Button } from '../components/ui/button';
import { Chip } from '../components/ui/chip';
import { ExactMoney } from '../components/ui/money';
import { partOnDemand } from '../components/ui/part-on-demand';
import { usd } from '../../../lib/domain/money';
import { Switch } from '../components/ui/switch';
import { TextArea } from '../components/ui/text-area';
import { failureAdvice } from '../components/request/failure-advice';
import { NotCharged } from '../components/request/not-charged';
import type { Mode } from '../../../lib/domain/video';
import { textOf, toolCallsOf, type Block, type Step, type ToolResult } from './conversation';
import { useCharge } from './use-charge';
import type { Wire } from './use-conversation';
import { WireView } from './wire-view';

const Markdown = partOnDemand(() => dynamic(() => import('./markdown').then((module) => module.Markdown)), PlainText);
const CodeBlock = partOnDemand(
  () => dynamic(() => import('../components/markdown/code-block').then((module) => module.CodeBlock)),
  PlainText,
);

/** Shows plain text until the code that formats it has loaded. */
function PlainText({ text }: { readonly text: string }) {
  return <p className="leading-6 [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>;
}

export interface StepActions {
  onStop(): void;
  onRetry(): void;
  onResult(callId: string, result: ToolResult): void;
  onSendResults(): void;
}

/** One answer: its thinking, text and tool calls, with its tokens, price and speed. */
export function StepView({
  step,
  name,
  mode,
  isLast,
  mayEdit,
  wire,
  actions,
}: {
  readonly step: Step;
  /** The name of the model. */
  readonly name: string;
  readonly mode: Mode;
  /** No request follows this one, so the answer can be continued or replaced. */
  readonly isLast: boolean;
  readonly mayEdit: boolean;
  readonly wire: Wire | undefined;
  readonly actions: StepActions;
}) {
  const calls = toolCallsOf(step);
  const isRunning = step.state === 'running';
  const advice = adviceFor(step);
  return (
    <article
      aria-label={`Answer of ${name}`}
      aria-busy={isRunning}
      data-testid="answer"
      data-state={step.state}
      className="flex min-w-0 flex-col gap-3"
    >
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <span className="flex min-w-0 items-center gap-2 text-xs font-medium text-muted">
          <span className="truncate">{name}</span>
          {step.provider && <span className="font-normal">at {step.provider}</span>}
        </span>
        {isRunning && (
          <Button size="small" onClick={actions.onStop} aria-label={`Stop ${name}`}>
            <Square size={12} aria-hidden="true" /> Stop
          </Button>
        )}
      </div>
      {step.blocks.map((block, index) => (
        <BlockView key={index} block={block} isJson={step.isJson === true} isRunning={isRunning} />
      ))}
      {isRunning && step.blocks.length === 0 && <p className="text-sm text-muted">Waiting for the first token…</p>}
      {calls.length > 0 && step.state === 'done' && (
        <ToolResults step={step} isLast={isLast && mayEdit} actions={actions} />
      )}
      {step.failure && (
        <div role="alert" className="rounded-lg border border-bad/30 bg-bad/8 px-3 py-2.5 text-sm">
          <p className="flex items-start gap-2 text-bad">
            <CircleAlert size={15} className="mt-0.5 shrink-0" aria-hidden="true" />
            <span className="min-w-0 [overflow-wrap:anywhere]">{step.failure.message}</span>
          </p>
          {advice && <p className="mt-1 pl-6 text-muted">{advice}</p>}
          {step.failure.requestId && (
            <p className="mt-1 pl-6 font-mono text-xs break-all text-muted">{step.failure.requestId}</p>
          )}
          {mayEdit && isLast && (
            <Button size="small" className="mt-2 ml-6" onClick={actions.onRetry}>
              <RotateCw size={13} aria-hidden="true" /> Try again
            </Button>
          )}
        </div>
      )}
      {step.state === 'stopped' && (
        <p className="flex items-center gap-1.5 text-sm text-muted">
          <CircleStop size={14} aria-hidden="true" /> Stopped. You pay for the tokens up to here.
        </p>
      )}
      {step.stopReason && STOP_NOTES[step.stopReason] && (
        <p className="text-sm text-muted">{STOP_NOTES[step.stopReason]}</p>
      )}
      {!isRunning && <Facts step={step} mode={mode} />}
      <WireView wire={wire} name={name} />
    </article>
  );
}

const STOP_NOTES: Readonly<Record<string, string | undefined>> = {
  max_tokens: 'Cut off: the max output tokens were reached.',
  stop_sequence: 'Ended at a stop sequence.',
  refusal: 'The model refused to continue.',
  pause_turn: 'The model paused. Send the next prompt to let it continue.',
  model_context_window_exceeded: 'Cut off: the conversation fills the context of the model.',
};

function BlockView({
  block,
  isJson,
  isRunning,
}: {
  readonly block: Block;
  readonly isJson: boolean;
  readonly isRunning: boolean;
}) {
  switch (block.type) {
    case 'text': {
      const text = textOf([block]);
      if (text === '') return null;
      return isJson ? <CodeBlock text={prettyJson(text)} language="json" /> : <Markdown text={text} />;
    }
    case 'thinking':
    case 'redacted_thinking':
      return (
        <details className="rounded-lg border border-line bg-sunken text-sm" data-testid="thinking">
          <summary className="flex min-h-9 cursor-pointer items-center gap-2 rounded-lg px-3 text-muted max-sm:min-h-11">
            <Brain size={14} aria-hidden="true" /> Thinking
          </summary>
          <p className="max-h-80 overflow-y-auto px-3 pb-3 leading-6 whitespace-pre-wrap text-muted">
            {typeof block['thinking'] === 'string' && block['thinking'] !== ''
              ? block['thinking']
              : 'The model does not show this thinking.'}
          </p>
        </details>
      );
    case 'tool_use':
      return (
        <div className="overflow-hidden rounded-lg border border-line" data-testid="tool-call">
          <p className="flex items-center gap-2 border-b border-line bg-sunken px-3 py-2 text-sm">
            <Wrench size={14} aria-hidden="true" className="text-accent" />
            Calls <code className="font-mono text-xs">{String(block['name'])}</code>
          </p>
          <pre className="px-3 py-2.5 font-mono text-xs leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap">
            {isRunning && isEmpty(block['input']) ? '…' : json(block['input'])}
          </pre>
        </div>
      );
    default:
      return <CodeBlock text={json(block)} language={block.type} />;
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

// Safe: blocks are JSON.
function json(value: unknown): string {
  return printJson((value ?? {}) as CodeValue);
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The results of tool calls, which the user can edit until they are sent. */
function ToolResults({
  step,
  isLast,
  actions,
}: {
  readonly step: Step;
  readonly isLast: boolean;
  readonly actions: StepActions;
}) {
  const calls = toolCallsOf(step);
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line p-3">
      {calls.map(({ id, name }) => (
        <ToolResultField
          key={id}
          name={name}
          result={step.results[id] ?? { text: '', isError: false }}
          readOnly={!isLast}
          onChange={(result) => actions.onResult(id, result)}
        />
      ))}
      {isLast && (
        <div>
          <Button size="small" variant="primary" onClick={actions.onSendResults}>
            {calls.length === 1 ? 'Send the result' : 'Send the results'}
          </Button>
        </div>
      )}
    </div>
  );
}

function ToolResultField({
  name,
  result,
  readOnly,
  onChange,
}: {
  readonly name: string;
  readonly result: ToolResult;
  readonly readOnly: boolean;
  onChange(result: ToolResult): void;
}) {
  return (
    <div>
      <TextArea
        label={
          <span className="text-xs">
            Result of <code className="font-mono">{name}</code>
            {readOnly && result.isError && <span className="text-bad"> (failed)</span>}
          </span>
        }
        rows={2}
        code
        className="field-sizing-content max-h-60 min-h-16 read-only:bg-sunken"
        readOnly={readOnly}
        value={result.text}
        placeholder="What the tool returned, such as JSON or text"
        onChange={(event) => onChange({ ...result, text: event.target.value })}
      />
      {!readOnly && (
        <Switch
          label={<span className="text-xs font-normal">The tool failed</span>}
          checked={result.isError}
          onChange={(isError) => onChange({ ...result, isError })}
        />
      )}
    </div>
  );
}

/** Tokens, price and speed of an ended answer. */
function Facts({ step, mode }: { readonly step: Step; readonly mode: Mode }) {
  const { message } = useCharge(step, mode);
  const [open, setOpen] = useState(false);
  const id = useId();
  const { usage, firstTokenMs, totalMs, ignored } = step;
  const rate =
    usage && firstTokenMs !== undefined && totalMs !== undefined && totalMs > firstTokenMs && step.state === 'done'
      ? Math.round((usage.output / (totalMs - firstTokenMs)) * 1_000)
      : undefined;
  const tokens = message?.tokens;
  const lines = message?.price.calculation?.lines ?? [];
  return (
    <div className="border-t border-line pt-2 text-xs text-muted" data-testid="facts">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 tabular-nums">
        <span data-testid="charge" className="font-medium text-ink">
          {message === undefined ? (
            <span className="text-muted">Price…</span>
          ) : message === null || Number(message.price.charged ?? 0) === 0 ? (
            <NotCharged />
          ) : (
            <ExactMoney amount={message.price.charged ?? '0'} />
          )}
        </span>
        {(tokens ?? usage) && (
          <span>
            {(tokens ? tokens.input + tokens.cache_read + tokens.cache_write : (usage?.input ?? 0)).toLocaleString(
              'en',
            )}{' '}
            in, {(tokens?.output ?? usage?.output ?? 0).toLocaleString('en')} out
          </span>
        )}
        {firstTokenMs !== undefined && <span>First token {seconds(firstTokenMs)}</span>}
        {rate !== undefined && <span>{rate.toLocaleString('en')} tokens/s</span>}
        {totalMs !== undefined && <span>Total {seconds(totalMs)}</span>}
        {lines.length > 0 && (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
            className="min-h-6 rounded-sm underline decoration-line-strong underline-offset-2 hover:text-ink max-sm:min-h-11"
          >
            Calculation
          </button>
        )}
      </div>
      <ul id={id} hidden={!open} className="mt-1.5 space-y-0.5">
        {lines.map((line) => (
          <li key={line.label} className="flex flex-wrap justify-between gap-x-4 tabular-nums">
            <span className="first-letter:uppercase">{line.label}</span>
            <span>
              {calculationLabel(line)} = <span className="text-ink">{usd(line.amount)}</span>
            </span>
          </li>
        ))}
      </ul>
      {ignored && (
        <p className="mt-1.5">
          <Chip tone="warn">Ignored</Chip> The provider does not take {ignored}.
        </p>
      )}
    </div>
  );
}

/** Formats a time: `840 ms` or `3.2 s`. */
function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Returns advice for a failed answer; undefined if the error message suffices. */
function adviceFor({ failure, blocks }: Step): string | undefined {
  if (!failure) return undefined;
  if (failure.status !== undefined) return failureAdvice(failure.code);
  return blocks.length > 0
    ? 'The part above was delivered and is charged. It stays in the conversation; try again to replace it.'
    : 'Nothing was delivered. Try again.';
}
