'use client';

import { useState } from 'react';
import type { KeyJson } from '../../../lib/contract/keys';
import { EditKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs';
import type { KeyDialog } from './key-table';

/** The open key dialog, the function that opens one, and the element that renders it. */
export function useKeyDialog(baseUrl: string, mayManage: boolean) {
  const [open, setOpen] = useState<{ readonly dialog: KeyDialog; readonly key: KeyJson }>();
  const close = () => setOpen(undefined);
  return {
    openDialog: (dialog: KeyDialog, key: KeyJson) => setOpen({ dialog, key }),
    dialog: open && (
      <>
        {open.dialog === 'edit' && <EditKeyDialog of={open.key} mayManage={mayManage} onClose={close} />}
        {open.dialog === 'rotate' && <RotateKeyDialog of={open.key} baseUrl={baseUrl} onClose={close} />}
        {open.dialog === 'revoke' && <RevokeKeyDialog of={open.key} onClose={close} />}
      </>
    ),
  };
}
