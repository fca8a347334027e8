import { CircleCheck, CircleSlash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ProviderListJson } from '../../../../lib/contract/providers';
import { Chip } from '../ui/chip';
import { Cell, Row } from '../ui/table';

export type Provider = ProviderListJson['data'][number];

export const PROVIDER_COLUMNS = [
  { title: 'Provider' },
  { title: 'State' },
  { title: 'Live models', align: 'right' },
  { title: 'Missing' },
] as const;

export const capabilityWords: Readonly<Record<Provider['capabilities'][number], string>> = {
  video: 'Videos',
  messages: 'Messages',
  stt: 'Speech to text',
  tts: 'Text to speech',
};

/** A provider of the installation. `children` are further cells. */
export function ProviderRow({ of: provider, children }: { readonly of: Provider; readonly children?: ReactNode }) {
  const { id, name, capabilities, offered, models, reason, unconfirmed_models: unconfirmed } = provider;
  return (
    <Row>
      <Cell full>
        <span className="block font-medium">{name}</span>
        <span className="block text-xs text-muted">
          <span className="font-mono">{id}</span> · {capabilities.map((each) => capabilityWords[each]).join(', ')}
        </span>
      </Cell>
      <Cell name="State">
        {offered ? (
          <Chip tone="good" icon={CircleCheck}>
            Offered
          </Chip>
        ) : (
          <Chip tone="neutral" icon={CircleSlash}>
            Not offered
          </Chip>
        )}
      </Cell>
      <Cell name="Live models" align="right" className="tabular-nums">
        {models}
      </Cell>
      <Cell name="Missing" full className="text-xs text-muted">
        {reason ?? (unconfirmed.length > 0 ? <Unconfirmed provider={id} models={unconfirmed} /> : '–')}
      </Cell>
      {children}
    </Row>
  );
}

/** The prices that the operator has to confirm, each as an entry of the variable CONFIRMED_PRICES. */
function Unconfirmed({ provider, models }: { readonly provider: string; readonly models: readonly string[] }) {
  return (
    <details>
      <summary className="cursor-pointer">
        {models.length === 1 ? 'Price of 1 model' : `Prices of ${models.length} models`} to confirm in CONFIRMED_PRICES
      </summary>
      <ul className="mt-1 font-mono">
        {models.map((model) => (
          <li key={model} className="break-all">
            {provider}/{model}
          </li>
        ))}
      </ul>
    </details>
  );
}
