'use client';

import type { ProviderId } from '../../../lib/domain/ids';
import { Select } from '../components/ui/select';

/** Selects automatic routing or one provider; hidden if there is only one. */
export function ProviderChoice({
  providers,
  offered,
  value,
  onChange,
}: {
  readonly providers: readonly ProviderId[];
  readonly offered: readonly ProviderId[];
  readonly value: ProviderId | undefined;
  onChange(provider: ProviderId | undefined): void;
}) {
  if (providers.length < 2) return null;
  return (
    <Select
      label="Provider"
      shown
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      options={[
        { value: '', label: 'Automatic: the first available' },
        ...providers.map((id) => ({ value: id, label: offered.includes(id) ? `${id} (live here)` : id })),
      ]}
    />
  );
}
