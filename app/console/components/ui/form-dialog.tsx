'use client';

import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button';
import { Dialog, DialogBody, DialogFooter } from './dialog';
import { FormError } from './field';

/** A dialog with a form. The error of the form is above its fields, and Cancel and the submit button are below them. */
export function FormDialog({
  title,
  description,
  error,
  submitLabel,
  danger = false,
  busy,
  disabled = false,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  /** The error of the form as a whole; the error of one field is at the field. */
  readonly error?: string | undefined;
  readonly submitLabel: string;
  readonly danger?: boolean;
  readonly busy: boolean;
  readonly disabled?: boolean;
  readonly onSubmit: NonNullable<ComponentProps<'form'>['onSubmit']>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog open onOpenChange={onClose} title={title} {...(description !== undefined && { description })}>
      <form method="post" onSubmit={onSubmit} className="flex min-h-0 flex-col">
        <DialogBody>
          <FormError>{error}</FormError>
          {children}
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled}>
            {submitLabel}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
