'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button';
import { useReturnFocus } from '../ui/return-focus';

/** The navigation on narrow screens: a drawer from the left. */
export function NavigationDrawer({ onClose, children }: { onClose(): void; readonly children: ReactNode }) {
  const focus = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade-in bg-shade" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.onOpen}
          onCloseAutoFocus={focus.onClose}
          className="fixed inset-y-0 left-0 z-50 flex w-[min(19rem,calc(100vw-3rem))] animate-slide-in flex-col bg-raised shadow-(--floating) outline-none"
        >
          <Dialog.Title className="sr-only">Navigation</Dialog.Title>
          {children}
          <Dialog.Close
            aria-label="Close navigation"
            className={buttonClass({ variant: 'quiet', size: 'icon' }, 'absolute top-2 right-2')}
          >
            <X size={18} aria-hidden="true" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
