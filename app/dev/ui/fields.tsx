'use client';

import { useState } from 'react';
import { ChoiceCards } from '../../console/components/ui/choice-cards';
import { DateField } from '../../console/components/ui/date-field';
import { DateRange } from '../../console/components/ui/date-range';
import { Dropzone } from '../../console/components/ui/dropzone';
import { Facet, FacetBox } from '../../console/components/ui/facet';
import { DollarField, FormError, TextField } from '../../console/components/ui/field';
import { FoldedCard } from '../../console/components/ui/fold';
import { Button } from '../../console/components/ui/button';
import { Form } from '../../console/components/ui/form';
import { PasswordField } from '../../console/components/ui/password-field';
import { SearchField } from '../../console/components/ui/search-field';
import { LimitPeriod } from '../../console/components/ui/limit-period';
import { RatioIcon, SegmentedControl } from '../../console/components/ui/segmented-control';
import { FilterSelect, Select, SelectField } from '../../console/components/ui/select';
import { Slider } from '../../console/components/ui/slider';
import { StickyFoot } from '../../console/components/ui/sticky-foot';
import { Switch } from '../../console/components/ui/switch';
import { TextArea } from '../../console/components/ui/text-area';
import { TokenField } from '../../console/components/ui/token-field';
import { toast } from '../../console/components/ui/toast';
import { Example, Room } from './example';

const RESOLUTIONS = ['480p', '720p', '1080p'];
const RATIOS = ['16:9', '9:16', '1:1'];
const PROVIDERS = Array.from({ length: 12 }, (_, index) => `provider-${index + 1}`);

export function Fields() {
  const [models, setModels] = useState<readonly string[]>(['sandbox-t2v']);
  const [text, setText] = useState('Sandbox');
  const [on, setOn] = useState(true);
  const [seconds, setSeconds] = useState(5);
  const [resolution, setResolution] = useState('720p');
  const [ratio, setRatio] = useState('16:9');
  const [status, setStatus] = useState('');
  const [mode, setMode] = useState<'test' | 'live'>('test');
  const [providers, setProviders] = useState<readonly string[]>(['provider-2']);
  const toggle = (value: string) =>
    setProviders(providers.includes(value) ? providers.filter((each) => each !== value) : [...providers, value]);
  return (
    <>
      <Example file="date-field">
        <DateField label="From, UTC" value="2026-11-23" onChange={() => undefined} />
      </Example>
      <Example file="date-range">
        <DateRange from="2026-11-01" to="2026-11-23" onChange={() => undefined} />
      </Example>
      <Example file="field">
        <TextField label="Name" hint="A hint below the field." defaultValue="My key" />
        <TextField label="Webhook" error="This is not a URL. It must begin with https://." defaultValue="example" />
        <DollarField label="Amount in dollars" placeholder="5.00" />
        <TextField label="Disabled" disabled defaultValue="My organisation" />
        <SelectField label="Role" defaultValue="admin">
          <option value="admin">Admin</option>
          <option value="viewer">Viewer</option>
        </SelectField>
        <FormError>The request failed. Try again.</FormError>
      </Example>
      <Example file="form">
        <Form send={() => undefined}>
          <Button type="submit">Send</Button>
        </Form>
      </Example>
      <Example file="password-field">
        <PasswordField label="Password" autoComplete="off" defaultValue="correct horse" />
      </Example>
      <Example file="search-field">
        <SearchField label="Search models" value={text} onChange={setText} />
      </Example>
      <Example file="select">
        <Select label="Provider" shown value={status} onChange={setStatus} options={STATUSES} />
      </Example>
      <Example file="filter-select">
        <FilterSelect
          label="Status"
          value={status}
          options={[
            ['ready', 'Ready'],
            ['failed', 'Failed'],
          ]}
          onChange={setStatus}
        />
      </Example>
      <Example file="text-area">
        <TextArea
          label="System prompt"
          rows={2}
          hint="A hint below the field."
          defaultValue="You are a helpful assistant."
        />
        <TextArea label="Schema" rows={2} code error="This is not JSON." defaultValue="{" />
      </Example>
      <Example file="token-field">
        <TokenField
          label="Models"
          name="allowed_models"
          hint="Enter or comma adds the text. Empty: all."
          values={models}
          suggestions={['sandbox-t2v', 'sandbox-tts']}
          onChange={setModels}
        />
      </Example>
      <Example file="limit-period">
        <LimitPeriod of={{ amount: '25', period: 'monthly', spent: '4.2', resets_at: 2_116_972_800 }} />
      </Example>
      <Example file="facet">
        <Room>
          <Facet
            title="Provider"
            options={PROVIDERS.map((value, index) => ({ value, label: value, count: index }))}
            chosen={providers}
            onToggle={toggle}
          />
          <FacetBox checked={on} onChange={() => setOn(!on)}>
            Without a count
          </FacetBox>
        </Room>
      </Example>
      <Example file="fold">
        <FoldedCard rows={PROVIDERS}>
          {(shown) => (
            <ul className="px-4 py-2">
              {shown.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          )}
        </FoldedCard>
      </Example>
      <Example file="segmented-control">
        <SegmentedControl
          legend="Resolution"
          detail="1280 × 720"
          description="1080p: only 8 s."
          value={resolution}
          options={RESOLUTIONS.map((value) => ({
            value,
            label: value,
            disabledReason: value === '1080p' ? 'Not available for 5 s' : undefined,
          }))}
          onChange={(value) => setResolution(value)}
        />
        <SegmentedControl
          legend="Aspect ratio"
          variant="icons"
          value={ratio}
          options={RATIOS.map((value) => {
            const [wide = 1, high = 1] = value.split(':').map(Number);
            return { value, label: value, icon: <RatioIcon wide={wide} high={high} /> };
          })}
          onChange={(value) => setRatio(value)}
        />
      </Example>
      <Example file="choice-cards">
        <ChoiceCards
          legend="Mode"
          name="mode"
          value={mode}
          onChange={(value) => setMode(value)}
          choices={[
            { value: 'test', title: 'Test', description: 'Free, answered by the sandbox.' },
            { value: 'live', title: 'Live', description: 'Sent to providers and charged.' },
          ]}
        />
      </Example>
      <Example file="switch">
        <Room>
          <Switch label="Audio" description="Generate an audio track." checked={on} onChange={setOn} />
          <Switch label="Go fast" checked={!on} onChange={(off) => setOn(!off)} />
        </Room>
      </Example>
      <Example file="slider">
        <Room>
          <Slider label="Length" unit="s" min={1} max={15} value={seconds} onChange={setSeconds} />
          <Slider label="Disabled" unit="fps" min={8} max={30} value={24} disabled onChange={() => undefined} />
        </Room>
      </Example>
      <Example file="sticky-foot">
        <Room>
          <StickyFoot className="pb-3.5">
            <Button variant="primary">Generate</Button>
          </StickyFoot>
        </Room>
      </Example>
      <Example file="dropzone">
        <Room>
          <Dropzone label="First frame" accept="image/*" onFile={({ name }) => toast(name)} className="h-24">
            Drop an image here, or choose one.
          </Dropzone>
        </Room>
      </Example>
    </>
  );
}

const STATUSES = [
  { value: '', label: 'All' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
];
