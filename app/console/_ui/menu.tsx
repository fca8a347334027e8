'use client';

import { DropdownMenu as Primitive } from 'radix-ui';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { classNames } from './class-names';

/** A menu below `trigger`, which must be a button. */
export function Menu({ trigger, children }: { readonly trigger: ReactElement; readonly children: ReactNode }) {
  return (
    <Primitive.Root modal={false}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content align="end" sideOffset={6} collisionPadding={8} className="z-50 min-w-48 animate-fade-in rounded-xl bg-raised p-1 shadow-(--floating) outline-none">
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

export function MenuItem({
  icon: Icon,
  tone = 'plain',
  onSelect,
  children,
}: {
  readonly icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>;
  readonly tone?: 'plain' | 'danger';
  onSelect(): void;
  readonly children: ReactNode;
}) {
  return (
    <Primitive.Item
      onSelect={onSelect}
      className={classNames(
        'flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-hover max-sm:h-11',
        tone === 'danger' && 'text-bad',
      )}
    >
      <Icon size={15} aria-hidden="true" />
      {children}
    </Primitive.Item>
  );
}

export function MenuLabel({ children }: { readonly children: ReactNode }) {
  return <Primitive.Label className="px-2.5 py-2 text-sm">{children}</Primitive.Label>;
}

export function MenuLine() {
  return <Primitive.Separator className="mx-1 my-1 h-px bg-line" />;
}
