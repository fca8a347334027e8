import type { ReactNode } from 'react';
import { Section } from '../../console/components/ui/card';
import { Controls } from './controls';
import { Fields } from './fields';
import { Lists } from './lists';
import { Overlays } from './overlays';

const GROUPS: readonly { readonly id: string; readonly title: string; readonly content: ReactNode }[] = [
  { id: 'controls', title: 'Buttons and labels', content: <Controls /> },
  { id: 'fields', title: 'Fields', content: <Fields /> },
  { id: 'lists', title: 'Lists and states', content: <Lists /> },
  { id: 'overlays', title: 'Dialogs, menus and toasts', content: <Overlays /> },
];

/** All parts of the UI, in groups. */
export function Gallery() {
  return (
    <div className="mx-auto flex max-w-6xl flex-col gap-10 px-4 py-8 sm:px-8">
      {GROUPS.map(({ id, title, content }) => (
        <Section key={id} id={id} title={title}>
          <div className="flex flex-col gap-6">{content}</div>
        </Section>
      ))}
    </div>
  );
}
