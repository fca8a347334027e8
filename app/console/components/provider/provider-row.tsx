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
  const { id, name, capabilities, offered, models, reason } = provider;
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
        {reason ?? '–'}
      </Cell>
      {children}
    </Row>
  );
}
