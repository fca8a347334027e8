'use client';

import { CircleCheck, CircleSlash } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import type { KeyJson } from '../../../lib/contract/keys';
import type { SimulationJson } from '../../../lib/contract/policies';
import { Button } from '../components/ui/button';
import { Card, Section } from '../components/ui/card';
import { Chip } from '../components/ui/chip';
import { FormError, TextField } from '../components/ui/field';
import { usd } from '../../../lib/domain/money';
import { SelectField } from '../components/ui/select';
import { Cell, Row, Table } from '../components/ui/table';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { parametersOf, simulatedFields, type SimulatedCapability } from './simulated-fields';

export interface SimulatedModel {
  readonly id: string;
  readonly capability: SimulatedCapability;
}

const COLUMNS = [{ title: 'Provider' }, { title: 'Price', align: 'right' }, { title: 'Result' }] as const;

const LEVELS = { organization: 'Organisation', project: 'Project', key: 'Key' } as const;
const RULES = {
  address: 'allowed addresses',
  endpoint: 'allowed endpoints',
  model: 'allowed models',
  provider: 'allowed providers',
  region: 'allowed data regions',
  price: 'price ceiling',
  key: 'state of the key',
  scope: 'scopes',
} as const;

/** Shows whether a request with this key would be allowed, and which rule decides. */
export function Simulator({
  keys,
  models,
}: {
  readonly keys: readonly KeyJson[];
  readonly models: readonly SimulatedModel[];
}) {
  const [keyId, setKeyId] = useState(keys[0]?.id ?? '');
  const [model, setModel] = useState(models[0]?.id ?? '');
  const [address, setAddress] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [result, setResult] = useState<SimulationJson>();
  const { busy, error, run } = useAsyncAction('The request could not be simulated. Try again.');
  const fields = simulatedFields[models.find(({ id }) => id === model)?.capability ?? 'video'];

  function submit(event: FormEvent) {
    event.preventDefault();
    void run(async () => {
      setResult(undefined);
      const parameters = parametersOf(fields, values);
      setResult(
        await send<SimulationJson>('POST', apiPaths.simulatePolicy(), {
          key_id: keyId,
          model: model.trim(),
          ...(address.trim() === '' ? {} : { address: address.trim() }),
          ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
        }),
      );
    });
  }

  return (
    <Section
      id="simulator"
      title="Simulator"
      description="Shows whether a request would be allowed and which rule decides. Nothing is sent to a provider, and nothing is charged."
    >
      {keys.length === 0 ? (
        <p className="text-sm text-muted">Create a key first: a simulated request needs one.</p>
      ) : (
        <Card className="p-4 sm:p-5">
          <form onSubmit={submit} className="flex flex-col gap-4">
            <div className="grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
              <SelectField label="Key" value={keyId} onChange={(event) => setKeyId(event.target.value)}>
                {keys.map((key) => (
                  <option key={key.id} value={key.id}>
                    {key.name}
                    {key.project ? ` (${key.project.name})` : ''}
                  </option>
                ))}
              </SelectField>
              <TextField
                label="Model"
                required
                list="simulated-models"
                autoComplete="off"
                spellCheck={false}
                value={model}
                onChange={(event) => setModel(event.target.value)}
              />
              <datalist id="simulated-models">
                {models.map(({ id }) => (
                  <option key={id}>{id}</option>
                ))}
              </datalist>
              {fields.map(({ name, label, placeholder }) => (
                <TextField
                  key={name}
                  label={label}
                  inputMode="numeric"
                  autoComplete="off"
                  placeholder={placeholder}
                  value={values[name] ?? ''}
                  onChange={(event) => setValues({ ...values, [name]: event.target.value })}
                />
              ))}
              <TextField
                label="Client address"
                autoComplete="off"
                spellCheck={false}
                placeholder="Any"
                value={address}
                onChange={(event) => setAddress(event.target.value)}
              />
            </div>
            <FormError>{error}</FormError>
            <div>
              <Button type="submit" variant="primary" busy={busy}>
                Simulate
              </Button>
            </div>
          </form>
          <div aria-live="polite">{result && <Result of={result} />}</div>
        </Card>
      )}
    </Section>
  );
}

function Result({ of: result }: { readonly of: SimulationJson }) {
  const { allowed, level, rule, code, sentence, candidates, endpoint, price_compared: isPriced } = result;
  return (
    <div className="mt-5 border-t border-line pt-5">
      <div className="flex flex-wrap items-center gap-2">
        <Chip tone={allowed ? 'good' : 'bad'} icon={allowed ? CircleCheck : CircleSlash}>
          {allowed ? 'Allowed' : 'Refused'}
        </Chip>
        {level !== null && rule !== null && (
          <span className="text-sm font-medium">
            {LEVELS[level]}: {RULES[rule]}
          </span>
        )}
        {code !== null && <code className="font-mono text-xs text-muted">{code}</code>}
      </div>
      <p className="mt-2 text-sm">{sentence}</p>
      <p className="mt-1 text-xs text-muted">
        {endpoint !== null && (
          <>
            Endpoint <code className="font-mono">{endpoint}</code>.{' '}
          </>
        )}
        {!isPriced && endpoint !== null && 'Prices were not compared: the amounts are empty. '}
        Credits, spend limits and rates are not simulated.
      </p>
      {candidates.length > 0 && (
        <div className="mt-4 overflow-hidden rounded-lg border border-line">
          <Table label="Providers of the model" columns={COLUMNS}>
            {candidates.map(({ provider, used, price, level: by, rule: ruledBy, reason }, at) => (
              <Row key={`${provider} ${at}`}>
                <Cell name="Provider" className="font-mono text-xs whitespace-nowrap">
                  {provider}
                </Cell>
                <Cell name="Price" align="right" className="whitespace-nowrap tabular-nums">
                  {price === null ? '–' : usd(price)}
                </Cell>
                <Cell full className="@4xl/table:w-full">
                  {used ? (
                    <Chip tone="good" icon={CircleCheck}>
                      {at === 0 ? 'Tried first' : 'Tried if the others fail'}
                    </Chip>
                  ) : (
                    <span className="text-muted">
                      {by !== null && ruledBy !== null && (
                        <span className="font-medium text-ink">
                          {LEVELS[by]}: {RULES[ruledBy]}.{' '}
                        </span>
                      )}
                      {reason}
                    </span>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        </div>
      )}
    </div>
  );
}
