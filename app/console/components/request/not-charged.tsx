import { CircleCheck } from 'lucide-react';
import { Chip } from '../ui/chip';

export function NotCharged() {
  return (
    <Chip tone="good" icon={CircleCheck}>
      Not charged
    </Chip>
  );
}
