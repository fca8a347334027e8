import { Attempts } from '../components/request/attempts';
import type { Tone } from '../components/ui/chip';
import type { VideoAttemptJson, VideoDetails } from '../../../lib/contract/videos';

const OUTCOMES: Readonly<Record<VideoAttemptJson['outcome'], { readonly tone: Tone; readonly word: string }>> = {
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
    <Attempts
      attempts={video.attempts.map(({ attempt, provider, upstream_model, outcome, code, duration_ms }) => ({
        attempt,
        provider,
        upstreamModel: upstream_model,
        ...OUTCOMES[outcome],
        code,
        durationMs: duration_ms,
      }))}
    />
  );
}
