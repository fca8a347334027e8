'use client';

import { Dialog, DialogBody } from '../ui/dialog';
import { Kbd } from '../ui/kbd';
import { useCommandKey } from './command-key';
import { destinations } from './destinations';

/** Every key that the console knows. */
export function ShortcutSheet({ onClose }: { onClose(): void }) {
  const command = useCommandKey();
  const groups = [
    { title: 'Go to', keys: destinations.map(({ label, key }) => ({ says: label, keys: ['G', key.toUpperCase()] })) },
    {
      title: 'Everywhere',
      keys: [
        { says: 'Search everything', keys: [command, 'K'] },
        { says: 'Search on this page', keys: ['/'] },
        { says: 'New key or video', keys: ['N'] },
        { says: 'Copy the id of this page', keys: ['C'] },
        { says: 'Close', keys: ['Esc'] },
        { says: 'This list', keys: ['?'] },
      ],
    },
  ];
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" says="They rest while you type.">
      <DialogBody>
        <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
          {groups.map(({ title, keys }) => (
            <section key={title} aria-label={title}>
              <h3 className="mb-2 text-xs font-medium text-muted">{title}</h3>
              <dl>
                {keys.map(({ says, keys: pressed }) => (
                  <div key={says} className="flex h-8 items-center justify-between gap-4 text-sm">
                    <dt>{says}</dt>
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
