'use client';

import type { ReactNode } from 'react';
import { Button } from '../components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '../components/ui/dialog';

/** The filters on a screen without room for them beside the list; `onClear` where there is something to clear. */
export function FilterDialog({
  shown,
  onClear,
  onClose,
  children,
}: {
  readonly shown: number;
  readonly onClear: (() => void) | undefined;
  onClose(): void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog open onOpenChange={onClose} title="Filters">
      <DialogBody>{children}</DialogBody>
      <DialogFooter>
        {onClear && <Button onClick={onClear}>Clear</Button>}
        <Button variant="primary" onClick={onClose}>
          Show {shown} {shown === 1 ? 'model' : 'models'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
