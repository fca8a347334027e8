'use client';

import dynamic from 'next/dynamic';
import { cloneElement, useState, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import type { MenuItem } from './menu-content';

// The menu's code is a tenth of a page's and most visits open no menu, so it loads when a trigger is first hovered or
// focused.

interface TriggerProps {
  onClick?(event: MouseEvent): void;
  onPointerEnter?(): void;
  onFocus?(): void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
}

const load = () => import('./menu-content');
const MenuContent = dynamic(load);

/** A menu below `trigger`, which must be a button; `header` is shown above the items. */
export function Menu({
  trigger,
  header,
  items,
  align,
}: {
  readonly trigger: ReactElement<TriggerProps>;
  readonly header?: ReactNode;
  readonly items: readonly MenuItem[];
  /** Which edge of the trigger the menu begins at; the right one by default. */
  readonly align?: 'start' | 'end';
}) {
  const [touched, setTouched] = useState(false);
  if (touched) return <MenuContent trigger={trigger} header={header} items={items} {...(align ? { align } : {})} />;
  const preload = () => void load().catch(() => undefined); // The click will see it.
  // Switches to the menu only after its code has loaded, so that the button never disappears.
  const touch = () =>
    void load().then(
      () => setTouched(true),
      () => undefined, // The next click tries again.
    );
  return cloneElement(trigger, {
    onClick: touch,
    onPointerEnter: preload,
    onFocus: preload,
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  });
}
