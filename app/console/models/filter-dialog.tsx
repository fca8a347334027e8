'use client';

import type { ReactNode } from 'react';
import { Button } from '../components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '../components/ui/dialog';

/** The filters on narrow screens. `onClear` is undefined if no filter is active. */
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
