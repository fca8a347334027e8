'use client';

import { useId, useState, type FormEvent } from 'react';
import type { TransferJson } from '../../../lib/contract/credits';
import type { OrganizationJson } from '../../../lib/contract/organizations';
import type { Mode } from '../../../lib/domain/video';
import { ChoiceCards, type Choice } from '../components/ui/choice-cards';
import { DollarField, TextField } from '../components/ui/field';
import { FormDialog } from '../components/ui/form-dialog';
import { usd } from '../../../lib/domain/money';
import { SelectField } from '../components/ui/select';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { ApiError } from '../../../lib/client/errors';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

type Kind = 'grant' | 'refund';

const KINDS: readonly Choice<Kind>[] = [
  { value: 'grant', title: 'Grant', description: 'Adds credits, such as paid ones.' },
  { value: 'refund', title: 'Refund', description: 'Gives back what was charged.' },
];

const DONE: Readonly<Record<Kind, string>> = { grant: 'were granted to', refund: 'were refunded to' };

/** Grants or refunds credits. */
export function TransferDialog({
  of: { id, name },
  mode: shownMode,
  onDone,
  onClose,
}: {
  readonly of: OrganizationJson;
  readonly mode: Mode;
  onDone(): Promise<unknown>;
  onClose(): void;
}) {
  const [kind, setKind] = useState<Kind>('grant');
  const [mode, setMode] = useState<Mode>(shownMode);
  const [amount, setAmount] = useState('');
  const [subject, setSubject] = useState('');
  const [reason, setReason] = useState('');
  // One reference per form: if the form is submitted again, for example after a lost response, the credits move only
  // once.
  const [reference, setReference] = useState(() => `console-${crypto.randomUUID()}`);
  const [param, setParam] = useState<string>();
  const choiceName = useId();
  const { busy, error, run } = useAsyncAction('The credits could not be moved. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    setParam(undefined);
    void run(async () => {
      try {
        const made = await send<TransferJson>('POST', apiPaths.transfers(), {
          organization: id,
          mode,
          kind,
          amount: amount.trim().replace(/^\$/, ''),
          reference,
          reason,
          ...(kind === 'refund' && subject.trim() !== '' && { subject: subject.trim() }),
        });
        await onDone();
        toast(`${usd(made.amount)} ${DONE[kind]} ${name}.`);
        onClose();
      } catch (thrown) {
        if (thrown instanceof ApiError) setParam(thrown.param);
        throw thrown;
      }
    });
  }

  const errorOf = (field: string) => (param === field ? error : undefined);
  const fieldErrors = ['amount', 'subject', 'reason', 'reference'];
  return (
    <FormDialog
      title={`Transfer credits of ${name}`}
      description="The organisation sees the transfer, its reason and its reference."
      error={param !== undefined && fieldErrors.includes(param) ? undefined : error}
      submitLabel={kind === 'grant' ? 'Grant credits' : 'Refund credits'}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <ChoiceCards<Kind> legend="Kind" name={choiceName} value={kind} onChange={setKind} choices={KINDS} />
      <SelectField
        label="Account"
        value={mode}
        // Safe: the values of the options.
        onChange={(event) => setMode(event.target.value as Mode)}
      >
        <option value="live">Live</option>
        <option value="test">Test</option>
      </SelectField>
      <DollarField
        label="Amount in dollars"
        placeholder="25.00"
        required
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
        error={errorOf('amount')}
        data-first
      />
      {kind === 'refund' && (
        <TextField
          label="Of (optional)"
          placeholder="video_… or msg_…"
          autoComplete="off"
          spellCheck={false}
          value={subject}
          onChange={(event) => setSubject(event.target.value)}
          error={errorOf('subject')}
          hint="The id of the video, message or session. The refund can then be at most its charge."
        />
      )}
      <TextField
        label="Reason"
        required
        maxLength={500}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        error={errorOf('reason')}
      />
      <TextField
        label="Reference"
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        value={reference}
        onChange={(event) => setReference(event.target.value)}
        error={errorOf('reference')}
        hint="Such as the number of an invoice. The same reference transfers credits only once."
      />
    </FormDialog>
  );
}
