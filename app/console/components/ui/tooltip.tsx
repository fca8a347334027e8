'use client';

import { useEffect, useId, useRef, useState, type ReactNode } from 'react';

const GAP_PX = 6;
const DELAY_MS = 200;

/**
 * A tooltip for hover, keyboard focus and touch; Escape hides it. It is a popover in the browser's top layer, so that
 * no overflow clips it.
 */
export function Tooltip({ content, children }: { readonly content: ReactNode; readonly children: ReactNode }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const note = useRef<HTMLSpanElement>(null);
  const timer = useRef<number>(undefined);
  const hide = () => {
    window.clearTimeout(timer.current);
    setOpen(false);
  };
  const showSoon = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => setOpen(true), DELAY_MS);
  };

  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (!open || !anchor.current || !note.current) return;
    note.current.showPopover();
    place(note.current, anchor.current.getBoundingClientRect());
    // Hidden on scroll: otherwise the tooltip would stay while its anchor moves away.
    const close = () => setOpen(false);
    window.addEventListener('scroll', close, { capture: true, once: true });
    return () => window.removeEventListener('scroll', close, { capture: true });
  }, [open]);

  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-describedby={open ? id : undefined}
        className="cursor-help! rounded-sm"
        onPointerEnter={(event) => event.pointerType === 'mouse' && showSoon()}
        onPointerLeave={hide}
        onFocus={() => setOpen(true)}
        onBlur={hide}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
      >
        {children}
      </button>
      {open && (
        <span
          ref={note}
          id={id}
          role="tooltip"
          popover="manual"
          className="inset-auto m-0 max-w-80 animate-fade-in rounded-md bg-ink px-2.5 py-1.5 text-left text-xs text-inverse"
        >
          {content}
        </span>
      )}
    </>
  );
}

/** Places the tooltip above the anchor, or below if there is no room, inside the window. */
function place(note: HTMLElement, anchor: DOMRect): void {
  const { width, height } = note.getBoundingClientRect();
  const above = anchor.top - height - GAP_PX;
  const left = anchor.left + anchor.width / 2 - width / 2;
  note.style.top = `${above >= GAP_PX ? above : anchor.bottom + GAP_PX}px`;
  note.style.left = `${Math.max(GAP_PX, Math.min(left, document.documentElement.clientWidth - width - GAP_PX))}px`;
}
