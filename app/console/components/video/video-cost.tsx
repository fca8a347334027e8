import { CircleCheck } from 'lucide-react';
import { Chip } from '../ui/chip';
import { usdFromNumber } from '../ui/money';
import { isRunning, type ShownVideo } from './shown-video';

export function NotCharged() {
  return (
    <Chip tone="good" icon={CircleCheck}>
      Not charged
    </Chip>
  );
}

/** The cost of a video, or the held amount while it runs. */
export function VideoCost({ video }: { readonly video: ShownVideo }) {
  if (video.status === 'failed') return <NotCharged />;
  return (
    <span title={isRunning(video) ? 'Held until the video is finished; released if it fails' : undefined}>
      {usdFromNumber(video.cost)}
      {isRunning(video) && <span className="text-muted"> held</span>}
    </span>
  );
}
