'use client';

import { cloneElement, useEffect, useState, type ComponentType, type MouseEvent, type ReactElement } from 'react';
import { createPortal } from 'react-dom';
import type { MenuContentProps } from './menu-content';
import { onDemand } from './on-demand';

// The menu's code is a tenth of a page's and most visits open no menu, so it loads when a trigger is first hovered or
// focused.

interface TriggerProps {
  onClick?(event: MouseEvent): void;
  onPointerEnter?(): void;
  onFocus?(): void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
}

type Content = ComponentType<MenuContentProps>;

const load = () => import('./menu-content');

/** Renders nothing, or an error if the code cannot load. */
const Loader = onDemand(async () => {
  const { default: MenuContent } = await load();
  return function Loaded({ onLoaded }: { onLoaded(content: Content): void; onClose(): void }) {
    useEffect(() => onLoaded(MenuContent), [onLoaded]);
    return null;
  };
});

/** A menu below `trigger`, which must be a button; `header` is shown above the items. */
export function Menu({ trigger, ...content }: MenuContentProps & { readonly trigger: ReactElement<TriggerProps> }) {
  const [opens, setOpens] = useState(false);
  const [Content, setContent] = useState<Content>();
  // The menu replaces the button only after its code has loaded, so that the button never disappears.
  if (Content) return <Content trigger={trigger} {...content} />;
  const preload = () => void load().catch(() => undefined); // The click loads it again and shows the error.
  return (
    <>
      {cloneElement(trigger, {
        onClick: () => setOpens(true),
        onPointerEnter: preload,
        onFocus: preload,
        'aria-haspopup': 'menu',
        'aria-expanded': false,
      })}
      {/* In the body: inside a bar or card, a fixed element could be positioned relative to that. */}
      {opens &&
        createPortal(
          <Loader onLoaded={(loaded) => setContent(() => loaded)} onClose={() => setOpens(false)} />,
          document.body,
        )}
    </>
  );
}
