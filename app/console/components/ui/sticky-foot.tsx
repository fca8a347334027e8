'use client';

import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from './class-names';

/** Space for the label around a control whose own box is at the upper edge of the label, such as a radio button. */
const ROOM_PX = 48;

/** The end of a form that stays at the lower edge of the window. A control that gets the focus is scrolled above it. */
export function StickyFoot({ className, children }: { readonly className?: string; readonly children: ReactNode }) {
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = foot.current;
    if (!element) return;
    const { style } = document.documentElement;
    // Its height changes with the price and with errors.
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${element.offsetHeight + ROOM_PX}px`;
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = '';
    };
  }, []);
  return (
    <div
      ref={foot}
      className={classNames(
        'sticky bottom-0 z-10 rounded-b-xl border-t border-line bg-surface px-4 pt-3.5 sm:px-5',
        className,
      )}
    >
      {children}
    </div>
  );
}
