'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { lazy, useState } from 'react';
import { Button } from '../../console/components/ui/button';
import { ConfirmDialog } from '../../console/components/ui/confirm-dialog';
import { Dialog, DialogBody, DialogFooter } from '../../console/components/ui/dialog';
import { Drawer } from '../../console/components/ui/drawer';
import { EmailField, TextField } from '../../console/components/ui/field';
import { FormDialog } from '../../console/components/ui/form-dialog';
import { Menu } from '../../console/components/ui/menu';
import { onDemand } from '../../console/components/ui/on-demand';
import { partOnDemand } from '../../console/components/ui/part-on-demand';
import { toast } from '../../console/components/ui/toast';
import { Example } from './example';

type Overlay = 'dialog' | 'form' | 'drawer' | 'confirm' | 'failing' | 'unloadable' | 'part';

const Unloadable = onDemand<{ onClose(): void }>(() => Promise.reject(new Error('The script cannot be loaded.')));
const UnloadablePart = partOnDemand(() =>
  lazy(() => Promise.reject(Object.assign(new Error('The script cannot be loaded.'), { name: 'ChunkLoadError' }))),
);

export function Overlays() {
  const [open, setOpen] = useState<Overlay>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Example file="dialog">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
      </Example>
      <Example file="form-dialog">
        <Button onClick={() => setOpen('form')}>Open dialog with a form</Button>
      </Example>
      <Example file="confirm-dialog">
        <Button onClick={() => setOpen('confirm')}>Open confirm dialog</Button>
        <Button onClick={() => setOpen('failing')}>Open one whose action fails</Button>
      </Example>
      <Example file="on-demand">
        <Button onClick={() => setOpen('unloadable')}>Open dialog that cannot be loaded</Button>
      </Example>
      <Example file="part-on-demand">
        {open === 'part' ? (
          <UnloadablePart />
        ) : (
          <Button onClick={() => setOpen('part')}>Show part that cannot be loaded</Button>
        )}
      </Example>
      <Example file="drawer">
        <Button onClick={() => setOpen('drawer')}>Open drawer</Button>
      </Example>
      <Example file="menu">
        <Menu
          trigger={<Button>Open menu</Button>}
          header="My key"
          items={[
            { label: 'Rename', icon: Pencil, onSelect: () => toast('Rename') },
            { label: 'Delete', icon: Trash2, tone: 'danger', separatorAbove: true, onSelect: () => toast('Delete') },
          ]}
        />
      </Example>
      <Example file="toast">
        <Button onClick={() => toast('The video of sandbox-t2v is ready.')}>Show toast</Button>
      </Example>
      {open === 'dialog' && (
        <Dialog open onOpenChange={close} title="Rename key" description="The key itself does not change.">
          <DialogBody>
            <TextField label="Name" defaultValue="My key" data-first />
          </DialogBody>
          <DialogFooter>
            <Button onClick={close}>Cancel</Button>
            <Button variant="primary" onClick={close}>
              Save
            </Button>
          </DialogFooter>
        </Dialog>
      )}
      {open === 'form' && (
        <FormDialog
          title="Invite someone"
          description="You get a link that works once."
          error="This address belongs to a member already."
          submitLabel="Create invitation"
          busy={false}
          onSubmit={(event) => {
            event.preventDefault();
            close();
          }}
          onClose={close}
        >
          <EmailField label="E-mail" defaultValue="ada@example.com" data-first />
        </FormDialog>
      )}
      {open === 'drawer' && (
        <Drawer open onOpenChange={close} title="Code" description="The request of the form.">
          <p className="text-sm">The content scrolls if it is longer than the window.</p>
        </Drawer>
      )}
      {open === 'unloadable' && <Unloadable onClose={close} />}
      {(open === 'confirm' || open === 'failing') && (
        <ConfirmDialog
          title="Delete this video?"
          confirmLabel="Delete"
          fallbackError="The video could not be deleted. Try again."
          onConfirm={async () => {
            if (open === 'failing') throw new Error('The server cannot be reached. Try again.');
            close();
          }}
          onClose={close}
        >
          <p className="text-sm">Its file is removed for good.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
