'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog, DialogBody, DialogFooter } from './dialog';
import { FormError } from './field';
import { useAsyncAction } from './use-async-action';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly confirmLabel: string;
  /** Label of the safe button, which has the focus. */
  readonly cancelLabel?: string;
  readonly variant?: 'danger' | 'primary';
  /** Shown if `onConfirm` throws something that is not an Error. */
  readonly fallbackError: string;
  readonly children: ReactNode;
  /** Runs the action and closes the dialog. If it throws, the dialog shows the error and stays open. */
  onConfirm(): Promise<unknown>;
  onClose(): void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function ConfirmDialog({
  title,
  confirmLabel,
  cancelLabel = 'Cancel',
  variant = 'danger',
  fallbackError,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { busy, error, run } = useAsyncAction(fallbackError, 'stay-busy');
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <DialogBody>
        <FormError>{error}</FormError>
        {children}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} data-first>
          {cancelLabel}
        </Button>
        <Button variant={variant} busy={busy} onClick={() => void run(onConfirm)}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
