import type { ComponentType, ReactNode } from 'react';
import { classNames } from './class-names';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent';

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  good: 'bg-good/11 text-good',
  warn: 'bg-warn/12 text-warn',
  bad: 'bg-bad/10 text-bad',
  info: 'bg-info/11 text-info',
  accent: 'bg-accent-soft text-accent',
};

/** A status label with icon, text and colour, so that colour is never the only difference. */
export function Chip({
  tone,
  icon: Icon,
  spin = false,
  children,
}: {
  readonly tone: Tone;
  readonly icon?: ComponentType<{ size: number; className?: string; 'aria-hidden': 'true' }>;
  readonly spin?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        'inline-flex h-6 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {Icon && <Icon size={13} {...(spin ? { className: 'animate-spin' } : {})} aria-hidden="true" />}
      {children}
    </span>
  );
}
