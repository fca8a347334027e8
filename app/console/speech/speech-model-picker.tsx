'use client';

import type { ComponentType } from 'react';
import { priceSpan } from '../../../lib/catalog/price-span';
import type { SttModel, TtsModel } from '../../../lib/domain/model';
import type { Mode } from '../../../lib/domain/video';
import { missingLabel, ModelPicker, type ModelChoice } from '../components/model-picker';
import type { ShownModel } from './shown-model';

/** A picker of speech models, grouped by family. */
export function SpeechModelPicker<Model extends SttModel | TtsModel>({
  label,
  icon,
  models,
  value,
  mode,
  onChange,
}: {
  readonly label: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly models: readonly ShownModel<Model>[];
  readonly value: ShownModel<Model>;
  readonly mode: Mode;
  onChange(id: string): void;
}) {
  const choiceOf = (shown: ShownModel<Model>): ModelChoice => ({
    ...shown.model,
    group: shown.model.family,
    price: priceSpan(shown.model),
    missing: missingLabel(mode, shown),
  });
  return (
    <ModelPicker
      label={label}
      noun="speech model"
      icon={icon}
      choices={models.map(choiceOf)}
      groups={[...new Set(models.map(({ model }) => model.family))]}
      value={choiceOf(value)}
      onChange={onChange}
    />
  );
}
