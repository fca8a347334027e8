'use client';

import { DropdownMenu } from 'radix-ui';
import { Fragment, type ComponentType, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names';

export interface MenuItem {
  readonly label: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>;
  readonly tone?: 'danger';
  readonly separatorAbove?: boolean;
  onSelect(): void;
}

/** The open menu. `Menu` loads this component on demand. */
export default function MenuContent({
  trigger,
  header,
  items,
}: {
  readonly trigger: ReactElement;
  readonly header?: ReactNode;
  readonly items: readonly MenuItem[];
}) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={8}
          className="z-50 min-w-48 animate-fade-in rounded-xl bg-raised p-1 shadow-(--floating) outline-none"
        >
          {header && (
            <>
              <DropdownMenu.Label className="px-2.5 py-2 text-sm">{header}</DropdownMenu.Label>
              <DropdownMenu.Separator className="m-1 h-px bg-line" />
            </>
          )}
          {items.map(({ label, icon: Icon, tone, separatorAbove, onSelect }) => (
            <Fragment key={label}>
              {separatorAbove && <DropdownMenu.Separator className="m-1 h-px bg-line" />}
              <DropdownMenu.Item
                onSelect={onSelect}
                className={classNames(
                  'flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-hover max-sm:h-11',
                  tone === 'danger' && 'text-bad',
                )}
              >
                <Icon size={15} aria-hidden="true" />
                {label}
              </DropdownMenu.Item>
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
