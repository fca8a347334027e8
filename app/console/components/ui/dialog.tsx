'use client';

import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Modal, type ModalProps } from './modal';

/** A centred dialog; on phones a bottom sheet. */
export function Dialog({ wide = false, ...rest }: ModalProps) {
  return (
    <Modal
      {...rest}
      onFocus={focusFirst}
      className={classNames(
        'max-h-[calc(100dvh-2rem)] sm:top-[12dvh] sm:left-1/2 sm:max-h-[80dvh] sm:-translate-x-1/2 sm:rounded-2xl',
        wide ? 'sm:w-[min(46rem,calc(100vw-2rem))]' : 'sm:w-[min(30rem,calc(100vw-2rem))]',
      )}
      headClassName="pt-5 pb-1"
    />
  );
}

/** Focuses the element with `data-first` (the first field, or the safe choice), otherwise the first control. */
function focusFirst(event: Event): void {
  // The dialog of the event, and not any of the document: another dialog may be open below it.
  const dialog = event.currentTarget;
  const first = dialog instanceof HTMLElement ? dialog.querySelector<HTMLElement>('[data-first]') : null;
  if (!first) return;
  event.preventDefault();
  first.focus();
}

export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 py-4">{children}</div>;
}

export function DialogFooter({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4 max-sm:pb-6 max-sm:[&>*]:flex-1">
      {children}
    </div>
  );
}
