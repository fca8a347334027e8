'use client';

import { useState, type FormEvent } from 'react';
import type { AlertJson } from '../../../../lib/contract/alerts';
import type { Mode } from '../../../../lib/domain/video';
import { Button } from '../../components/ui/button';
import { Dialog, DialogBody, DialogFooter } from '../../components/ui/dialog';
import { FormError, TextField } from '../../components/ui/field';
import { SelectField } from '../../components/ui/select';
import { useAsyncAction } from '../../components/ui/use-async-action';
import { send } from '../../console-api';
import { apiPaths } from '../../paths';
import { ALERT_KINDS, alertTitle } from './alert-words';

/** Adds an alert, or changes the amount of one. */
export function AlertDialog({
  mode,
  of: alert,
  onSaved,
  onClose,
}: {
  readonly mode: Mode;
  readonly of: AlertJson | undefined;
  onSaved(): Promise<unknown>;
  onClose(): void;
}) {
  const [kind, setKind] = useState<AlertJson['kind']>(alert?.kind ?? 'low_balance');
  const [amount, setAmount] = useState(alert?.amount ?? '');
  const { busy, error, run } = useAsyncAction('The alert could not be saved. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = amount.trim().replace(/^\$/, '');
    void run(async () => {
      if (alert) await send('PATCH', apiPaths.alert(alert.id), { amount: wanted });
      else await send('POST', apiPaths.alerts(mode), { kind, amount: wanted });
      await onSaved();
      onClose();
    });
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={alert ? 'Change the alert' : 'Add an alert'}
      description="Each crossing is announced once. An alert stops nothing; a spend limit of a key does."
    >
      <form onSubmit={submit} className="flex min-h-0 flex-col">
        <DialogBody>
          <FormError>{error}</FormError>
          {!alert && (
            <SelectField
              label="When"
              value={kind}
              data-first
              onChange={(event) => setKind(ALERT_KINDS.find(([name]) => name === event.target.value)?.[0] ?? kind)}
            >
              {ALERT_KINDS.map(([name, title]) => (
                <option key={name} value={name}>
                  {title} …
                </option>
              ))}
            </SelectField>
          )}
          <TextField
            label={alert ? `${alertTitle(alert.kind)}, in dollars` : 'Amount in dollars'}
            inputMode="decimal"
            placeholder="5.00"
            autoComplete="off"
            required
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
            {...(alert && { 'data-first': true })}
          />
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {alert ? 'Save' : 'Add alert'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
