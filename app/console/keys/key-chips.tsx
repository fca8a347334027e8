'use client';

import { Ban, CircleCheck, CirclePause, CircleSlash, Clock, Hourglass, Sparkle } from 'lucide-react';
import type { KeyJson } from '../../../lib/contract/keys';
import { Chip } from '../components/ui/chip';
import { useNow } from '../components/ui/now';
import { TimeAgo } from '../components/ui/time-ago';
import { notesOf, stateOf } from './key-state';

const STATES = {
  active: { tone: 'good', icon: CircleCheck, word: 'Active' },
  limited: { tone: 'bad', icon: CircleSlash, word: 'Limit reached' },
  disabled: { tone: 'neutral', icon: CirclePause, word: 'Disabled' },
  expired: { tone: 'warn', icon: Clock, word: 'Expired' },
  revoked: { tone: 'bad', icon: Ban, word: 'Revoked' },
} as const;

export function KeyStateChip({ of: key }: { readonly of: KeyJson }) {
  const { tone, icon, word } = STATES[stateOf(key)];
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  );
}

/** Shows when the key was last used, or that it never was. */
export function LastUse({ of: key }: { readonly of: KeyJson }) {
  const isNoted = notesOf(key, useNow()).includes('unused');
  if (key.last_used_at !== null) return <TimeAgo at={key.last_used_at} />;
  if (!isNoted) return 'Never';
  return (
    <Chip tone="neutral" icon={Sparkle}>
      Never used
    </Chip>
  );
}

/** Shows when the key expires, with a warning if that is soon. */
export function Expiry({ of: key }: { readonly of: KeyJson }) {
  const isSoon = notesOf(key, useNow()).includes('expiring');
  if (key.expires_at === null) return 'Never';
  return (
    <span className="inline-flex flex-col items-start gap-0.5">
      <TimeAgo at={key.expires_at} />
      {isSoon && (
        <Chip tone="warn" icon={Hourglass}>
          Expires soon
        </Chip>
      )}
    </span>
  );
}
