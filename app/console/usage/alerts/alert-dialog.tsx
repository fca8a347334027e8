'use client';

import { useRef, useState, type FormEvent } from 'react';
import type { AlertJson } from '../../../../lib/contract/alerts';
import type { Mode } from '../../../../lib/domain/video';
import { FormDialog } from '../../components/ui/form-dialog';
import { DollarField } from '../../components/ui/field';
import { SelectField } from '../../components/ui/select';
import { useAsyncAction } from '../../components/ui/use-async-action';
import { send } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { ALERT_KINDS, alertTitle } from './alert-words';
import { amountErrorOf, dollarsOf } from '../../components/policy/policy-draft';

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
  const [amountError, setAmountError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const { busy, error, run, clear } = useAsyncAction('The alert could not be saved. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    const wanted = dollarsOf(amount) ?? '';
    const problem = amountErrorOf(amount);
    setAmountError(problem);
    if (problem !== undefined) {
      clear();
      return field.current?.focus();
    }
    void run(async () => {
      if (alert) await send('PATCH', apiPaths.alert(alert.id), { amount: wanted });
      else await send('POST', apiPaths.alerts(mode), { kind, amount: wanted });
      await onSaved();
      onClose();
    });
  }

  return (
    <FormDialog
      title={alert ? 'Change the alert' : 'Add an alert'}
      description="An alert is sent once each time the amount is crossed. It does not stop requests; the spend limit of a key does."
      error={error}
      submitLabel={alert ? 'Save' : 'Add alert'}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
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
      <DollarField
        label={alert ? `${alertTitle(alert.kind)}, in dollars` : 'Amount in dollars'}
        placeholder="5.00"
        required
        ref={field}
        error={amountError}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        {...(alert && { 'data-first': true })}
      />
    </FormDialog>
  );
}
