'use client';

import { classNames } from './class-names';
import { Modal, type ModalProps } from './modal';

/** A panel at the right edge; on phones a bottom sheet. */
export function Drawer({ wide = false, children, ...rest }: ModalProps) {
  return (
    <Modal
      {...rest}
      className={classNames(
        'max-sm:max-h-[calc(100dvh-2rem)] sm:inset-y-0 sm:right-0 sm:animate-fade-in sm:border-l sm:border-line',
        wide ? 'sm:w-[min(42rem,calc(100vw-3rem))]' : 'sm:w-[min(22rem,calc(100vw-3rem))]',
      )}
      headClassName="border-b border-line py-4"
    >
      <div className="min-h-0 grow overflow-y-auto px-5 py-4">{children}</div>
    </Modal>
  );
}
