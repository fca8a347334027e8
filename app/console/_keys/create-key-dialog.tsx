'use client';

import { useState, type FormEvent } from 'react';
import { useSWRConfig } from 'swr';
import type { Mode } from '../../../lib/domain/video';
import { Button } from '../_ui/button';
import { ChoiceCards } from '../_ui/choice-cards';
import { Dialog, DialogBody, DialogFooter } from '../_ui/dialog';
import { fieldText } from '../_ui/field-text';
import { FormError, SelectField, TextField } from '../_ui/field';
import { ConsoleError, send } from '../console-api';
import { apiPaths } from '../paths';
import { RevealKeyDialog, type MadeKey } from './reveal-key-dialog';

const EXPIRIES = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const;

const PERIODS = [
  ['monthly', 'a month'],
  ['weekly', 'a week'],
  ['daily', 'a day'],
  ['total', 'in total'],
] as const;

const DAY_SECONDS = 86_400;

/** The form for a new key; when it is made, the dialog that shows it once. `mode` is what the form begins with. */
export function CreateKeyDialog({ mode: initialMode, baseUrl, onClose }: { readonly mode: Mode; readonly baseUrl: string; onClose(): void }) {
  const { mutate } = useSWRConfig();
  const [mode, setMode] = useState<Mode>(initialMode);
  const [fault, setFault] = useState<{ readonly param: string | undefined; readonly says: string }>();
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState<MadeKey>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setFault(undefined);
    try {
      setMade(await send<MadeKey>('POST', apiPaths.keys(), requestOf(new FormData(form), mode)));
      await mutate(apiPaths.keys());
    } catch (error) {
      const param = error instanceof ConsoleError ? error.param : undefined;
      setFault({ param, says: error instanceof Error ? error.message : 'Something went wrong. Try again.' });
      const field = param === undefined ? undefined : FIELD_OF[param];
      if (field) form.querySelector<HTMLElement>(`[name="${field}"]`)?.focus();
    }
    setBusy(false);
  }

  if (made) return <RevealKeyDialog made={made} baseUrl={baseUrl} onClose={onClose} />;
  const faultOf = (field: string) => (fault?.param !== undefined && FIELD_OF[fault.param] === field ? fault.says : undefined);
  return (
    <Dialog open onOpenChange={onClose} title="Create an API key" says="The key is shown once, right after it is made.">
      <form onSubmit={(event) => void submit(event)} className="flex min-h-0 flex-col">
        <DialogBody>
          <FormError>{fault && (fault.param === undefined || !FIELD_OF[fault.param]) ? fault.says : undefined}</FormError>
          <TextField label="Name" name="name" required maxLength={100} data-first autoComplete="off" placeholder="What will use it?" error={faultOf('name')} />
          <ChoiceCards<Mode>
            legend="Mode"
            name="mode"
            value={mode}
            onChange={setMode}
            choices={[
              { value: 'test', title: 'Test', says: 'Free, served by the sandbox' },
              { value: 'live', title: 'Live', says: 'Real providers, real credits' },
            ]}
          />
          <SelectField label="Expires" name="expiry" defaultValue="">
            {EXPIRIES.map(([days, says]) => (
              <option key={days} value={days}>
                {says}
              </option>
            ))}
          </SelectField>
          <div className="grid grid-cols-[1fr_auto] gap-3">
            <TextField label="Spend limit in dollars" name="limit" inputMode="decimal" autoComplete="off" placeholder="No limit" error={faultOf('limit')} />
            <SelectField label="Per" name="period" defaultValue="monthly" className="w-32">
              {PERIODS.map(([period, says]) => (
                <option key={period} value={period}>
                  {says}
                </option>
              ))}
            </SelectField>
          </div>
          {mode === 'live' && (
            <label className="flex items-start gap-2.5 text-sm">
              <input type="checkbox" name="manage" className="mt-0.5 size-4 accent-(--accent)" />
              <span>
                May manage this organisation
                <span className="block text-xs text-muted">Scope “manage”: keys, webhook secret and deliveries, over HTTP.</span>
              </span>
            </label>
          )}
        </DialogBody>
        <DialogFooter>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            Create key
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** The field of the form that a parameter of the request comes from. */
const FIELD_OF: Readonly<Record<string, string>> = { name: 'name', limit: 'limit', 'limit.amount': 'limit', 'limit.period': 'period', expires_at: 'expiry' };

function requestOf(fields: FormData, mode: Mode) {
  const text = (name: string) => fieldText(fields, name).trim();
  const amount = text('limit').replace(/^\$/, '');
  const days = Number(text('expiry'));
  return {
    name: text('name'),
    mode,
    scopes: mode === 'live' && fields.has('manage') ? ['inference', 'manage'] : ['inference'],
    limit: amount === '' ? null : { amount, period: text('period') },
    expires_at: days === 0 ? null : Math.floor(new Date().getTime() / 1000) + days * DAY_SECONDS,
  };
}
