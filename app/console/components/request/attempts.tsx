import { Chip, type Tone } from '../ui/chip';
import { milliseconds } from '../ui/elapsed';

export interface AttemptLine {
  readonly attempt: number;
  readonly provider: string;
  readonly upstreamModel: string | undefined;
  readonly tone: Tone;
  /** The outcome, in words. */
  readonly word: string;
  readonly code: string | undefined;
  readonly durationMs: number | undefined;
}

/** The providers that the gateway tried, with the outcome of each attempt. */
export function Attempts({ attempts }: { readonly attempts: readonly AttemptLine[] }) {
  return (
    <ol aria-label="Attempts" className="flex flex-col gap-3">
      {attempts.map(({ attempt, provider, upstreamModel, tone, word, code, durationMs }) => (
        <li key={attempt} className="flex items-start justify-between gap-3 text-sm">
          <div className="min-w-0">
            <div className="font-medium">
              <span className="text-muted tabular-nums">{attempt}.</span> {provider}
            </div>
            <div className="truncate font-mono text-xs text-muted">{upstreamModel}</div>
            {code && <div className="font-mono text-xs break-all text-muted">{code}</div>}
          </div>
          <div className="shrink-0 text-right">
            <Chip tone={tone}>{word}</Chip>
            {durationMs !== undefined && (
              <div className="mt-0.5 text-xs text-muted tabular-nums">{milliseconds(durationMs)}</div>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}
