'use client';

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass } from './button-class';
import { classNames } from './class-names';
import './style-nonce';
import { useReturnFocus } from './return-focus';

export interface ModalProps {
  readonly open: boolean;
  onOpenChange(open: boolean): void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** Base of everything modal: overlay, focus trap and focus return. The children contain a `Dialog.Title` of Radix. */
export function ModalSurface({
  open = true,
  onOpenChange,
  isDescribed = false,
  onFocus,
  className,
  children,
}: {
  readonly open?: boolean;
  onOpenChange(open: boolean): void;
  /** The children contain a `Dialog.Description`, too. */
  readonly isDescribed?: boolean;
  onFocus?: ((event: Event) => void) | undefined;
  readonly className: string;
  readonly children: ReactNode;
}) {
  const focus = useReturnFocus();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        {/* On the level of the surface: over another dialog it dims that one too, because it comes later in the document. */}
        <Primitive.Overlay className="fixed inset-0 z-50 animate-fade-in bg-shade" />
        <Primitive.Content
          {...(isDescribed ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            focus.onOpen();
            onFocus?.(event);
          }}
          onCloseAutoFocus={focus.onClose}
          className={classNames('fixed z-50 bg-raised shadow-(--floating) outline-none', className)}
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Base of dialogs and drawers: a surface with a title and a close button. */
export function Modal({
  title,
  description,
  children,
  className,
  headClassName,
  ...surface
}: Omit<ModalProps, 'wide'> & {
  readonly className: string;
  readonly headClassName: string;
  onFocus?(event: Event): void;
}) {
  return (
    <ModalSurface
      {...surface}
      isDescribed={Boolean(description)}
      className={classNames('flex flex-col max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-2xl', className)}
    >
      <div className={classNames('flex items-start justify-between gap-4 px-5', headClassName)}>
        <div className="min-w-0">
          <Primitive.Title className="text-lg font-semibold tracking-[-0.01em] break-words">{title}</Primitive.Title>
          {description && (
            <Primitive.Description className="mt-1 text-sm text-muted">{description}</Primitive.Description>
          )}
        </div>
        <Primitive.Close aria-label="Close" className={buttonClass({ variant: 'quiet', size: 'icon' }, '-mt-1 -mr-2')}>
          <X size={16} aria-hidden="true" />
        </Primitive.Close>
      </div>
      {children}
    </ModalSurface>
  );
}
