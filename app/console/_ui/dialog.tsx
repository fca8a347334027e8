'use client';

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass } from './button';
import { classNames } from './class-names';
import { useReturnFocus } from './return-focus';

// Focus is trapped inside and returned to where it was. On phones a dialog rises from the lower edge, where the thumb is.

export function Dialog({
  open,
  onOpenChange,
  title,
  says,
  wide = false,
  children,
}: {
  readonly open: boolean;
  onOpenChange(open: boolean): void;
  readonly title: string;
  readonly says?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  const focus = useReturnFocus();
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 animate-fade-in bg-shade" />
        <Primitive.Content
          {...(says ? {} : { 'aria-describedby': undefined })}
          onOpenAutoFocus={(event) => {
            focus.onOpen();
            focusFirst(event);
          }}
          onCloseAutoFocus={focus.onClose}
          className={classNames(
            'fixed z-50 flex max-h-[calc(100dvh-2rem)] flex-col bg-raised shadow-(--floating) outline-none',
            'max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-2xl sm:top-[12dvh] sm:left-1/2 sm:-translate-x-1/2 sm:rounded-2xl',
            wide ? 'sm:w-[min(46rem,calc(100vw-2rem))]' : 'sm:w-[min(30rem,calc(100vw-2rem))]',
            'sm:max-h-[80dvh]',
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-5 pb-1">
            <div className="min-w-0">
              <Primitive.Title className="text-lg font-semibold tracking-[-0.01em] break-words">{title}</Primitive.Title>
              {says && <Primitive.Description className="mt-1 text-sm text-muted">{says}</Primitive.Description>}
            </div>
            <Primitive.Close aria-label="Close" className={buttonClass({ look: 'quiet', size: 'icon' }, '-mt-1 -mr-2')}>
              <X size={16} aria-hidden="true" />
            </Primitive.Close>
          </div>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/** Focus goes to what is marked `data-first`: the first field, or the harmless choice; without a mark to the first control. */
function focusFirst(event: Event): void {
  // By name, because the event's own target is the frame only once it has the focus.
  const first = document.querySelector<HTMLElement>('[role="dialog"] [data-first]');
  if (!first) return;
  event.preventDefault();
  first.focus();
}

export function DialogBody({ children }: { readonly children: ReactNode }) {
  return <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 py-4">{children}</div>;
}

export function DialogFooter({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4 max-sm:pb-6 max-sm:[&>*]:flex-1">{children}</div>;
}
