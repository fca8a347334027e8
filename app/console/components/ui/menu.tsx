'use client';

import dynamic from 'next/dynamic';
import { cloneElement, useState, type ComponentType, type MouseEvent, type ReactElement, type ReactNode } from 'react';

// The menu itself comes with the first touch of a trigger: most visits open none, and its code is a tenth of a page's.

export interface MenuEntry {
  readonly says: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>;
  readonly tone?: 'danger';
  /** A line above. */
  readonly apart?: boolean;
  onSelect(): void;
}

interface TriggerProps {
  onClick?(event: MouseEvent): void;
  onPointerEnter?(): void;
  onFocus?(): void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
}

const load = () => import('./open-menu');
const OpenMenu = dynamic(load);

/** A menu below `trigger`, which must be a button; `head` stands above the entries. */
export function Menu({
  trigger,
  head,
  entries,
}: {
  readonly trigger: ReactElement<TriggerProps>;
  readonly head?: ReactNode;
  readonly entries: readonly MenuEntry[];
}) {
  const [touched, setTouched] = useState(false);
  if (touched) return <OpenMenu trigger={trigger} head={head} entries={entries} />;
  const preload = () => void load();
  // Rendered with the menu only once its code is here, so that the button is never gone in between.
  const touch = () => void load().then(() => setTouched(true));
  return cloneElement(trigger, {
    onClick: touch,
    onPointerEnter: preload,
    onFocus: preload,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  });
}
