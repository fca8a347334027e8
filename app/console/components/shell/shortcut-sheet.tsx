'use client';

import { Dialog, DialogBody } from '../ui/dialog';
import { Kbd } from '../ui/kbd';
import { useCommandKey } from './command-key';
import { destinationsOf } from './destinations';

/** Lists all keyboard shortcuts. */
export function ShortcutSheet({ isOperator, onClose }: { readonly isOperator: boolean; onClose(): void }) {
  const command = useCommandKey();
  const groups = [
    {
      title: 'Go to',
      keys: destinationsOf(isOperator).map(({ label, key }) => ({ label, keys: ['G', key.toUpperCase()] })),
    },
    {
      title: 'Everywhere',
      keys: [
        { label: 'Search everything', keys: [command, 'K'] },
        { label: 'Search on this page', keys: ['/'] },
        { label: 'New key or video', keys: ['N'] },
        { label: 'Copy the id of this page', keys: ['C'] },
        { label: 'Close', keys: ['Esc'] },
        { label: 'Show this list', keys: ['?'] },
      ],
    },
  ];
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" description="Disabled while you type.">
      <DialogBody>
        <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
          {groups.map(({ title, keys }) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-2 text-xs font-medium text-muted">{title}</h3>
              <dl>
                {keys.map(({ label, keys: pressed }) => (
                  <div key={label} className="flex min-h-8 items-center justify-between gap-4 text-sm">
                    <dt>{label}</dt>
                    <dd>
                      <Kbd keys={pressed} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogBody>
    </Dialog>
  );
}
