import { Ban, CircleCheck, CircleX, Clock } from 'lucide-react';
import type { DeliveryJson } from '../../../../lib/contract/webhooks';
import { Chip } from '../ui/chip';

export const deliveryStates = {
  pending: { tone: 'info', icon: Clock, word: 'Waiting' },
  delivered: { tone: 'good', icon: CircleCheck, word: 'Delivered' },
  failed: { tone: 'bad', icon: CircleX, word: 'Failed' },
  disabled: { tone: 'neutral', icon: Ban, word: 'Not sent' },
} as const;

export function DeliveryChip({ state }: { readonly state: DeliveryJson['state'] }) {
  const { tone, icon, word } = deliveryStates[state];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}
