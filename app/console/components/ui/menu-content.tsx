'use client';

import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment, type ComponentType, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names';
import './style-nonce';

export interface MenuItem {
  /** Distinguishes items with the same label. */
  readonly id?: string;
  readonly label: string;
  /** On the right, such as a role. */
  readonly detail?: string;
  readonly icon: ComponentType<{ size: number; 'aria-hidden': 'true' }>;
  readonly tone?: 'danger';
  readonly separatorAbove?: boolean;
  /** For a choice: whether it is the current one. */
  readonly checked?: boolean;
  onSelect(): void;
}

export interface MenuContentProps {
  readonly trigger: ReactElement;
  readonly header?: ReactNode;
  readonly items: readonly MenuItem[];
  /** Which edge of the trigger the menu begins at; the right one by default. */
  readonly align?: 'start' | 'end';
}

/** The open menu. `Menu` loads this component on demand. */
export default function MenuContent({ trigger, header, items, align = 'end' }: MenuContentProps) {
  return (
    <DropdownMenu.Root modal={false} defaultOpen>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1rem)] min-w-48 animate-fade-in overflow-y-auto rounded-xl bg-raised p-1 shadow-(--floating) outline-none"
        >
          {header && (
            <>
              <DropdownMenu.Label className="px-2.5 py-2 text-sm">{header}</DropdownMenu.Label>
              <DropdownMenu.Separator className="m-1 h-px bg-line" />
            </>
          )}
          {items.map((item) => (
            <Fragment key={item.id ?? item.label}>
              {item.separatorAbove && <DropdownMenu.Separator className="m-1 h-px bg-line" />}
              <Item {...item} />
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function Item({ label, detail, icon: Icon, tone, checked, onSelect }: MenuItem) {
  const shown = {
    onSelect,
    className: classNames(
      'flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-hover max-sm:h-11',
      tone === 'danger' && 'text-bad',
    ),
    children: (
      <>
        <Icon size={15} aria-hidden="true" />
        <span className="min-w-0 truncate">{label}</span>
        {detail && <span className="ml-auto pl-3 text-xs text-muted">{detail}</span>}
        {checked !== undefined && (
          <Check size={15} aria-hidden="true" className={classNames('shrink-0 text-accent', !checked && 'invisible')} />
        )}
      </>
    ),
  };
  return checked === undefined ? (
    <DropdownMenu.Item {...shown} />
  ) : (
    <DropdownMenu.CheckboxItem checked={checked} {...shown} />
  );
}
