'use client';

import { Tooltip as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export const TooltipProvider = Primitive.Provider;

/** A note on hover and keyboard focus; `says` is only rendered while it shows. */
export function Tooltip({ says, children }: { readonly says: () => ReactNode; readonly children: ReactElement }) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content sideOffset={6} collisionPadding={8} className="z-50 max-w-80 animate-fade-in rounded-md bg-ink px-2.5 py-1.5 text-xs text-inverse">
          <Says says={says} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Says({ says }: { readonly says: () => ReactNode }) {
  return says();
}
