'use client';

import { DropdownMenu } from 'radix-ui';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { classNames } from './class-names';
import type { MenuEntry } from './menu';

/** Open from the start; loaded by `Menu`. */
export default function OpenMenu({
  trigger,
  head,
  entries,
}: {
  readonly trigger: ReactElement;
  readonly head?: ReactNode;
  readonly entries: readonly MenuEntry[];
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
          {head && (
            <>
              <DropdownMenu.Label className="px-2.5 py-2 text-sm">{head}</DropdownMenu.Label>
              <DropdownMenu.Separator className="m-1 h-px bg-line" />
            </>
          )}
          {entries.map(({ says, icon: Icon, tone, apart, onSelect }) => (
            <Fragment key={says}>
              {apart && <DropdownMenu.Separator className="m-1 h-px bg-line" />}
              <DropdownMenu.Item
                onSelect={onSelect}
                className={classNames(
                  'flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none data-highlighted:bg-hover max-sm:h-11',
                  tone === 'danger' && 'text-bad',
                )}
              >
                <Icon size={15} aria-hidden="true" />
                {says}
              </DropdownMenu.Item>
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
