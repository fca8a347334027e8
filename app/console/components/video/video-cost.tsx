import { usdFromNumber } from '../ui/money';
import { NotCharged } from '../request/not-charged';
import { isRunning, type ShownVideo } from './shown-video';

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
