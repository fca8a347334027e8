'use client';

import { providersOf, type BindingIdentity } from '../../../lib/domain/binding';
import type { ProviderId } from '../../../lib/domain/ids';
import { Select } from '../components/ui/select';

/** Selects automatic routing or one provider; hidden if there is only one. */
export function ProviderChoice({
  bindings,
  offered,
  value,
  onChange,
}: {
  readonly bindings: readonly Pick<BindingIdentity, 'providerId'>[];
  readonly offered: readonly ProviderId[];
  readonly value: ProviderId | undefined;
  onChange(provider: ProviderId | undefined): void;
}) {
  const providers = providersOf(bindings);
  if (providers.length < 2) return null;
  return (
    <Select
      label="Provider"
      shown
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      options={[
        { value: '', label: 'Automatic: the first available' },
        ...providers.map((id) => ({ value: id, label: offered.includes(id) ? `${id} (available in live mode)` : id })),
      ]}
    />
  );
}
