'use client';

import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button-class';
import { ModalSurface } from '../ui/modal';

/** The navigation on narrow screens: a drawer from the left. */
export function NavigationDrawer({ onClose, children }: { onClose(): void; readonly children: ReactNode }) {
  return (
    <ModalSurface
      onOpenChange={onClose}
      className="inset-y-0 left-0 flex w-[min(19rem,calc(100vw-3rem))] animate-slide-in flex-col"
    >
      <Dialog.Title className="sr-only">Navigation</Dialog.Title>
      {children}
      <Dialog.Close
        aria-label="Close navigation"
        className={buttonClass({ variant: 'quiet', size: 'icon' }, 'absolute top-2 right-2')}
      >
        <X size={18} aria-hidden="true" />
      </Dialog.Close>
    </ModalSurface>
  );
}
