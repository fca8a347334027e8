import { CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import type { VideoStatus } from '../../../../lib/domain/video';
import { Chip } from '../ui/chip';

export const videoStatuses = {
  queued: { tone: 'neutral', icon: CircleDashed, word: 'Queued' },
  in_progress: { tone: 'info', icon: LoaderCircle, word: 'In progress' },
  completed: { tone: 'good', icon: CircleCheck, word: 'Completed' },
  failed: { tone: 'bad', icon: CircleX, word: 'Failed' },
} as const;

export function VideoStatusChip({ status }: { readonly status: VideoStatus }) {
  const { tone, icon, word } = videoStatuses[status];
  return (
    <Chip tone={tone} icon={icon} spin={status === 'in_progress'}>
      {word}
    </Chip>
  );
}
