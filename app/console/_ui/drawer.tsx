'use client';

import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonClass } from './button';
import { classNames } from './class-names';
import { useReturnFocus } from './return-focus';

/** A panel at the right edge; on phones it rises from the lower one. Focus is trapped inside and returned afterwards. */
export function Drawer({
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
          onOpenAutoFocus={focus.onOpen}
          onCloseAutoFocus={focus.onClose}
          className={classNames(
            'fixed z-50 flex flex-col bg-raised shadow-(--floating) outline-none',
            'max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-[calc(100dvh-2rem)] max-sm:rounded-t-2xl sm:inset-y-0 sm:right-0 sm:animate-fade-in sm:border-l sm:border-line',
            wide ? 'sm:w-[min(42rem,calc(100vw-3rem))]' : 'sm:w-[min(22rem,calc(100vw-3rem))]',
          )}
        >
          <div className="flex items-start justify-between gap-4 border-b border-line px-5 py-4">
            <div className="min-w-0">
              <Primitive.Title className="text-lg font-semibold tracking-[-0.01em]">{title}</Primitive.Title>
              {says && <Primitive.Description className="mt-0.5 text-sm text-muted">{says}</Primitive.Description>}
            </div>
            <Primitive.Close aria-label="Close" className={buttonClass({ look: 'quiet', size: 'icon' }, '-mt-0.5 -mr-2')}>
              <X size={16} aria-hidden="true" />
            </Primitive.Close>
          </div>
          <div className="min-h-0 grow overflow-y-auto px-5 py-4">{children}</div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
