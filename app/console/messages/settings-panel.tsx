'use client';

import { MessagesSquare } from 'lucide-react';
import { priceSpan } from '../../../lib/catalog/price-span';
import type { Effort, ThinkingType } from '../../../lib/domain/messages';
import type { MessagesModel } from '../../../lib/domain/model';
import type { Mode } from '../../../lib/domain/video';
import { missingLabel, ModelPicker, type ModelChoice } from '../components/model-picker';
import { SegmentedControl } from '../components/ui/segmented-control';
import { Select } from '../components/ui/select';
import { Switch } from '../components/ui/switch';
import { TextArea } from '../components/ui/text-area';
import { ProviderChoice } from '../models/provider-choice';
import { parseSchema, parseTools, problemOf, type Opponent, type Settings, type ShownModel } from './conversation';
import { EXAMPLE_SCHEMA, EXAMPLE_TOOLS } from './examples';
import { JsonEditor } from './json-editor';
import { maxTokensLimits, SAMPLING, thinkingLimits } from './number-limits';
import { NumberSetting } from './number-setting';
import type { Conversation } from './use-conversation';

/** The models of the conversation, and every parameter that they support. */
export function SettingsPanel({
  conversation,
  models,
  shown,
  opponent,
  mode,
  onModel,
}: {
  readonly conversation: Conversation;
  readonly models: readonly ShownModel[];
  readonly shown: ShownModel;
  /** The second model of a comparison. */
  readonly opponent: ShownModel | undefined;
  readonly mode: Mode;
  onModel(id: string): void;
}) {
  const { settings, change } = conversation;
  const set = (part: Partial<Settings>) => change({ settings: { ...settings, ...part } });
  const unset = (name: 'temperature' | 'topP' | 'topK' | 'thinking' | 'effort' | 'provider') => {
    const { [name]: _former, ...others } = settings;
    change({ settings: others });
  };
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-col gap-3">
        <TextModelPicker models={models} value={shown} mode={mode} onChange={onModel} />
        <ProviderChoice
          bindings={shown.model.bindings}
          offered={shown.offered}
          value={settings.provider}
          onChange={(provider) => (provider === undefined ? unset('provider') : set({ provider }))}
        />
        <Switch
          label="Compare with another model"
          description="Both get every prompt, with the same settings."
          checked={opponent !== undefined}
          onChange={(on) => change({ opponent: on ? firstOpponent(models, shown) : undefined })}
        />
        {opponent && (
          <>
            <TextModelPicker
              label="Second model"
              models={models}
              value={opponent}
              mode={mode}
              onChange={(modelId) => change({ opponent: { modelId } })}
            />
            <ProviderChoice
              bindings={opponent.model.bindings}
              offered={opponent.offered}
              value={conversation.opponent?.provider}
              onChange={(provider) =>
                change({ opponent: { modelId: opponent.model.id, ...(provider !== undefined && { provider }) } })
              }
            />
          </>
        )}
      </div>
      <TextArea
        label="System prompt"
        data-field="system"
        rows={2}
        className={GROWING}
        value={settings.system}
        placeholder="You are a helpful assistant."
        onChange={(event) => set({ system: event.target.value })}
      />
      <Parameters model={shown.model} settings={settings} set={set} unset={unset} />
    </div>
  );
}

function firstOpponent(models: readonly ShownModel[], shown: ShownModel): Opponent {
  const other =
    models.find((each) => each !== shown && each.offered.length > 0) ?? models.find((each) => each !== shown);
  return { modelId: (other ?? shown).model.id };
}

function Parameters({
  model,
  settings,
  set,
  unset,
}: {
  readonly model: MessagesModel;
  readonly settings: Settings;
  set(part: Partial<Settings>): void;
  unset(name: 'temperature' | 'topP' | 'topK' | 'thinking' | 'effort'): void;
}) {
  const { messages: facts, bindings } = model;
  const hasThinking = facts.thinkingTypes.some((type) => type !== 'disabled');
  return (
    <>
      <NumberSetting
        limits={maxTokensLimits(model)}
        field="max_tokens"
        value={settings.maxTokens}
        onChange={(maxTokens = Number.NaN) => set({ maxTokens })}
      />
      {facts.sampling && (
        <div className="grid grid-cols-3 gap-3">
          {SAMPLING.map(({ name, field, ...limits }) => (
            <NumberSetting
              key={name}
              limits={limits}
              field={field}
              placeholder="Default"
              value={settings[name]}
              onChange={(value) => (value === undefined ? unset(name) : set({ [name]: value }))}
            />
          ))}
        </div>
      )}
      {hasThinking && (
        <div className="flex flex-col gap-3">
          <SegmentedControl<ThinkingType | ''>
            legend="Thinking"
            data-field="thinking"
            value={settings.thinking && facts.thinkingTypes.includes(settings.thinking) ? settings.thinking : ''}
            options={[
              { value: '', label: 'Default' },
              ...facts.thinkingTypes.map((type) => ({ value: type, label: THINKING_LABELS[type] })),
            ]}
            onChange={(thinking) => {
              if (thinking === '') return unset('thinking');
              // Thinking tokens count as output, so the limit must leave room for the text.
              const least = settings.thinkingBudget + ROOM_AFTER_THINKING;
              const maxTokens = thinking === 'enabled' ? Math.max(settings.maxTokens, least) : settings.maxTokens;
              set({ thinking, maxTokens });
            }}
          />
          {settings.thinking === 'enabled' && facts.thinkingTypes.includes('enabled') && (
            <NumberSetting
              limits={thinkingLimits(model)}
              field="thinking.budget_tokens"
              hint="Must be fewer than the max output tokens, which include them."
              value={settings.thinkingBudget}
              onChange={(thinkingBudget = Number.NaN) => set({ thinkingBudget })}
            />
          )}
        </div>
      )}
      {facts.efforts.length > 0 && (
        <SegmentedControl<Effort | ''>
          legend="Effort"
          data-field="effort"
          value={settings.effort && facts.efforts.includes(settings.effort) ? settings.effort : ''}
          options={[
            { value: '', label: 'Default' },
            ...facts.efforts.map((effort) => ({ value: effort, label: EFFORT_LABELS[effort] })),
          ]}
          onChange={(effort) => (effort === '' ? unset('effort') : set({ effort }))}
        />
      )}
      <Tools
        settings={settings}
        mayForce={facts.forcedTools}
        isParallel={bindings.some((each) => each.parallelTools)}
        set={set}
      />
      {facts.structuredOutputs && (
        <div className="flex flex-col gap-2">
          <Switch
            label="Structured output"
            description="The answer is JSON that matches a schema."
            data-field="output_config.format"
            checked={settings.structured}
            onChange={(structured) => set({ structured })}
          />
          {settings.structured && (
            <JsonEditor
              label="Schema of the answer"
              field="schema"
              value={settings.schema}
              error={settings.schema.trim() === '' ? undefined : problemOf(() => parseSchema(settings.schema))}
              placeholder={'{"type": "object", "properties": {…}}'}
              example={EXAMPLE_SCHEMA}
              description="A JSON schema."
              onChange={(schema) => set({ schema })}
            />
          )}
        </div>
      )}
      <TextArea
        label="Stop sequences"
        data-field="stop_sequences"
        rows={2}
        className={GROWING}
        value={settings.stopSequences}
        placeholder="One per line"
        onChange={(event) => set({ stopSequences: event.target.value })}
      />
      <div className="flex flex-col gap-2">
        {bindings.some(({ price }) => price.tiers.some(({ cacheRead }) => cacheRead !== undefined)) && (
          <Switch
            label="Prompt caching"
            description="The beginning of the conversation costs less when it is sent again."
            data-field="cache_control"
            checked={settings.cached}
            onChange={(cached) => set({ cached })}
          />
        )}
        <Switch
          label="Stream the answer"
          data-field="stream"
          checked={settings.stream}
          onChange={(stream) => set({ stream })}
        />
      </div>
    </>
  );
}

function Tools({
  settings,
  mayForce,
  isParallel,
  set,
}: {
  readonly settings: Settings;
  readonly mayForce: boolean;
  readonly isParallel: boolean;
  set(part: Partial<Settings>): void;
}) {
  const problem = problemOf(() => parseTools(settings.tools));
  const tools = problem === undefined ? parseTools(settings.tools) : [];
  const choices = [
    { value: 'auto', label: 'The model decides' },
    ...(mayForce
      ? [
          { value: 'any', label: 'It must call a tool' },
          ...tools.map(({ name }) => ({ value: `tool:${String(name)}`, label: `It must call ${String(name)}` })),
        ]
      : []),
    { value: 'none', label: 'No calls' },
  ];
  return (
    <div className="flex flex-col gap-3">
      <JsonEditor
        label="Tools"
        field="tools"
        value={settings.tools}
        error={problem}
        placeholder={'[{"name": "…", "description": "…", "input_schema": {…}}]'}
        example={EXAMPLE_TOOLS}
        description={
          tools.length === 0
            ? 'A JSON array of tool definitions. You answer the calls of the model yourself.'
            : `${tools.length === 1 ? '1 tool' : `${tools.length} tools`}. You answer the calls of the model yourself.`
        }
        onChange={(text) => set({ tools: text })}
      />
      {tools.length > 0 && (
        <>
          <div data-field="tool_choice">
            <Select
              label="Tool choice"
              shown
              value={choices.some(({ value }) => value === settings.toolChoice) ? settings.toolChoice : 'auto'}
              options={choices}
              onChange={(toolChoice) => set({ toolChoice })}
            />
          </div>
          {isParallel && (
            <Switch
              label="One call at a time"
              data-field="disable_parallel_tool_use"
              checked={settings.oneToolAtATime}
              onChange={(oneToolAtATime) => set({ oneToolAtATime })}
            />
          )}
        </>
      )}
    </div>
  );
}

function TextModelPicker({
  label,
  models,
  value,
  mode,
  onChange,
}: {
  readonly label?: string;
  readonly models: readonly ShownModel[];
  readonly value: ShownModel;
  readonly mode: Mode;
  onChange(id: string): void;
}) {
  const choiceOf = (shown: ShownModel): ModelChoice => ({
    ...shown.model,
    group: shown.model.family,
    price: priceSpan(shown.model),
    missing: missingLabel(mode, shown),
  });
  return (
    <ModelPicker
      {...(label !== undefined && { label })}
      noun="text model"
      icon={MessagesSquare}
      choices={models.map(choiceOf)}
      groups={[...new Set(models.map(({ model }) => model.family))]}
      value={choiceOf(value)}
      onChange={onChange}
    />
  );
}

const GROWING = 'field-sizing-content max-h-64 min-h-16';

/** The output tokens to leave for the text after the thinking. */
const ROOM_AFTER_THINKING = 1_024;

const THINKING_LABELS: Readonly<Record<ThinkingType, string>> = {
  enabled: 'On',
  adaptive: 'Adaptive',
  disabled: 'Off',
  between_tools: 'Between tools',
};

const EFFORT_LABELS: Readonly<Record<Effort, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  xhigh: 'Very high',
  max: 'Max',
};
