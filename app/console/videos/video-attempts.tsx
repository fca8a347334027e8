import { Chip, type Tone } from '../components/ui/chip';
import { elapsed } from './elapsed';
import type { VideoDetails } from '../../../lib/contract/videos';

const OUTCOMES: Readonly<Record<string, { readonly tone: Tone; readonly word: string }>> = {
  accepted: { tone: 'good', word: 'Accepted' },
  refused: { tone: 'bad', word: 'Refused' },
  failed: { tone: 'warn', word: 'Failed' },
  preparing: { tone: 'neutral', word: 'Preparing' },
  unknown: { tone: 'neutral', word: 'No answer' },
};

/** The providers that the gateway tried, with the outcome of each attempt. */
export function VideoAttempts({ video }: { readonly video: VideoDetails }) {
  if (video.attempts.length === 0)
    return <p className="text-sm text-muted">No provider has been tried yet. Order: {video.candidates.join(', ')}.</p>;
  return (
    <ol className="flex flex-col gap-3">
      {video.attempts.map(
        ({ attempt, provider, upstream_model: upstreamModel, outcome, code, duration_ms: durationMs }) => {
          const { tone, word } = OUTCOMES[outcome] ?? { tone: 'neutral', word: outcome };
          return (
            <li key={attempt} className="flex items-start justify-between gap-3 text-sm">
              <div className="min-w-0">
                <div className="font-medium">
                  <span className="text-muted tabular-nums">{attempt}.</span> {provider}
                </div>
                <div className="truncate font-mono text-xs text-muted">{upstreamModel}</div>
                {code && <div className="font-mono text-xs text-muted">{code}</div>}
              </div>
              <div className="shrink-0 text-right">
                <Chip tone={tone}>{word}</Chip>
                {durationMs !== undefined && (
                  <div className="mt-0.5 text-xs text-muted tabular-nums">
                    {durationMs < 1000 ? `${durationMs} ms` : elapsed(durationMs / 1000)}
                  </div>
                )}
              </div>
            </li>
          );
        },
      )}
    </ol>
  );
}
