import { Ban, CircleAlert, CircleCheck, CircleDashed, CircleX, LoaderCircle } from 'lucide-react';
import type { RequestStatus } from '../../../../lib/contract/requests';
import { Chip } from '../ui/chip';

/** How the console shows the status of a request of any kind. */
export const requestStatuses = {
  queued: { tone: 'neutral', icon: CircleDashed, word: 'Queued' },
  in_progress: { tone: 'info', icon: LoaderCircle, word: 'In progress' },
  completed: { tone: 'good', icon: CircleCheck, word: 'Completed' },
  partial: { tone: 'warn', icon: CircleAlert, word: 'Ended early' },
  failed: { tone: 'bad', icon: CircleX, word: 'Failed' },
  cancelled: { tone: 'neutral', icon: Ban, word: 'Cancelled' },
} as const satisfies Record<RequestStatus, object>;

export function RequestStatusChip({ status }: { readonly status: RequestStatus }) {
  const { tone, icon, word } = requestStatuses[status];
  return (
    <Chip tone={tone} icon={icon} spin={status === 'in_progress'}>
      {word}
    </Chip>
  );
}
