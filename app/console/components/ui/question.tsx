'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog, DialogBody, DialogFooter } from './dialog';
import { FormError } from './field';
import { useWork } from './use-work';

export interface QuestionProps {
  readonly title: string;
  /** On the button that does it. */
  readonly act: string;
  readonly look?: 'danger' | 'primary';
  /** Said when it fails without words of its own. */
  readonly failed: string;
  readonly children: ReactNode;
  /** Does it, and closes the question by whatever follows. What it throws is said in place, and it can be tried again. */
  onAct(): Promise<unknown>;
  onClose(): void;
}

/** Asks before something that cannot be taken back; the harmless answer has the focus. */
export function Question({ title, act, look = 'danger', failed, children, onAct, onClose }: QuestionProps) {
  const { busy, fault, run } = useWork(failed, 'gone');
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      <DialogBody>
        <FormError>{fault}</FormError>
        {children}
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose} data-first>
          Keep it
        </Button>
        <Button look={look} busy={busy} onClick={() => void run(onAct)}>
          {act}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
