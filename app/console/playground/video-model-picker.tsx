'use client';

import { priceSpan } from '../../../lib/catalog/price-span';
import type { Mode } from '../../../lib/domain/video';
import { missingLabel, ModelPicker, type ModelChoice } from '../components/model-picker';
import { operationLabels } from '../components/operation-labels';
import type { ShownModel } from '../components/video-form/form';
import { kindIcons, kinds } from './kinds';

/** All video models, grouped by kind. */
export function VideoModelPicker({
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
  onChange(model: ShownModel): void;
}) {
  const choiceOf = (shown: ShownModel): ModelChoice => ({
    ...shown.model,
    group: operationLabels[shown.model.video.kind],
    price: priceSpan(shown.model),
    missing: missingLabel(mode, shown),
  });
  return (
    <ModelPicker
      {...(label !== undefined && { label })}
      noun="video model"
      icon={kindIcons[value.model.video.kind]}
      choices={models.map(choiceOf)}
      groups={kinds.map((kind) => operationLabels[kind])}
      value={choiceOf(value)}
      onChange={(id) => {
        const chosen = models.find(({ model }) => model.id === id);
        if (chosen) onChange(chosen);
      }}
    />
  );
}
