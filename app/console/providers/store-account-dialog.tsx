'use client';

import { useState, type FormEvent } from 'react';
import { useSWRConfig } from 'swr';
import type { ProviderCredentialListJson, VerifiedCredentialJson } from '../../../lib/contract/provider-credentials';
import { FormDialog } from '../components/ui/form-dialog';
import { TextField } from '../components/ui/field';
import { SelectField } from '../components/ui/select';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

type OwnProvider = ProviderCredentialListJson['providers'][number];

/** The form for an account at a provider. With `provider` it replaces the key of that account. */
export function StoreAccountDialog({
  providers,
  provider: fixed,
  onClose,
}: {
  readonly providers: readonly OwnProvider[];
  readonly provider?: string;
  onClose(): void;
}) {
  const { mutate } = useSWRConfig();
  const [providerId, setProviderId] = useState(fixed ?? providers[0]?.id ?? '');
  const [kind, setKind] = useState(0);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { busy, error, run } = useAsyncAction('The account could not be stored. Try again.', 'stay-busy');
  const provider = providers.find(({ id }) => id === providerId);
  const credential = provider?.credentials[kind] ?? [];

  async function store() {
    const settings = Object.fromEntries(credential.map(({ name }) => [name, values[name] ?? '']));
    const stored = await send<VerifiedCredentialJson>('POST', apiPaths.providerCredentials(), {
      provider: providerId,
      settings,
    });
    await mutate(apiPaths.providerCredentials());
    const name = stored.provider_name;
    toast(stored.status === 'accepted' ? `${name} accepted the account.` : `The account at ${name} is stored.`);
    onClose();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(store);
  }

  return (
    <FormDialog
      title={fixed === undefined ? 'Add an account' : `Replace the key for ${provider?.name ?? fixed}`}
      description="The provider verifies the key first. It is then stored encrypted and never shown again."
      error={error}
      submitLabel={fixed === undefined ? 'Verify and add' : 'Verify and replace'}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {fixed === undefined && (
        <SelectField
          label="Provider"
          value={providerId}
          data-first
          onChange={(event) => {
            setProviderId(event.target.value);
            setKind(0);
            setValues({});
          }}
        >
          {providers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      {provider && provider.credentials.length > 1 && (
        <SelectField
          label="Kind of key"
          value={String(kind)}
          onChange={(event) => {
            setKind(Number(event.target.value));
            setValues({});
          }}
        >
          {provider.credentials.map((each, index) => (
            <option key={each.map(({ name }) => name).join(' ')} value={index}>
              {each.map(({ name }) => wordsOf(name, provider.id)).join(' and ')}
            </option>
          ))}
        </SelectField>
      )}
      {credential.map(({ name, description }, index) => (
        <TextField
          key={name}
          label={wordsOf(name, providerId)}
          hint={description}
          required
          type="password"
          autoComplete="off"
          spellCheck={false}
          {...(fixed !== undefined && index === 0 && { 'data-first': true })}
          value={values[name] ?? ''}
          onChange={(event) => setValues({ ...values, [name]: event.target.value })}
        />
      ))}
    </FormDialog>
  );
}

/** Returns the label of a variable: `Access key` for `KLING_ACCESS_KEY` of kling. */
function wordsOf(name: string, provider: string): string {
  const prefix = `${provider.replaceAll('-', '_').toUpperCase()}_`;
  const words = (name.startsWith(prefix) ? name.slice(prefix.length) : name)
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
