import type { MessagesModel } from '../../../lib/domain/model';
import type { Settings } from './conversation';

// The numbers among the settings, with the values that they may have. The fields and the request use the same limits.

export interface NumberLimits {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
}

export const SAMPLING = [
  { name: 'temperature', field: 'temperature', label: 'Temperature', min: 0, max: 2, whole: false },
  { name: 'topP', field: 'top_p', label: 'Top P', min: 0, max: 1, whole: false },
  { name: 'topK', field: 'top_k', label: 'Top K', min: 0, max: 1_000, whole: true },
] as const;

export function maxTokensLimits({ messages: { maxOutputTokens } }: MessagesModel): NumberLimits {
  return { label: 'Max output tokens', min: 1, max: maxOutputTokens, whole: true };
}

export function thinkingLimits({ messages: { maxOutputTokens } }: MessagesModel): NumberLimits {
  return { label: 'Thinking tokens', min: 1_024, max: maxOutputTokens, whole: true };
}

/** Parses the text of a number field; NaN if it is not a number. */
export function readNumber(text: string): number {
  return /^-?(\d+\.?\d*|\.\d+)$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** Returns why the value is not allowed; undefined if it is. NaN stands for text that is not a number. */
export function numberProblem(value: number, { label, min, max, whole }: NumberLimits): string | undefined {
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return undefined;
  return `${label} must be ${whole ? 'a whole number' : 'a number'} from ${grouped(min)} to ${grouped(max)}.`;
}

/**
 * Returns why the numbers of the settings cannot be sent to the model; undefined if they can. Unused settings are not
 * checked.
 */
export function numbersProblem(settings: Settings, model: MessagesModel): string | undefined {
  const { sampling, thinkingTypes } = model.messages;
  const { maxTokens, thinking, thinkingBudget } = settings;
  const hasBudget = thinking === 'enabled' && thinkingTypes.includes(thinking);
  const problems = [
    numberProblem(maxTokens, maxTokensLimits(model)),
    ...(sampling ? SAMPLING : []).map((each) => {
      const value = settings[each.name];
      return value === undefined ? undefined : numberProblem(value, each);
    }),
    ...(hasBudget ? [numberProblem(thinkingBudget, thinkingLimits(model))] : []),
    // Thinking tokens count as output.
    hasBudget && thinkingBudget >= maxTokens ? 'Thinking tokens must be fewer than the max output tokens.' : undefined,
  ];
  return problems.find((problem) => problem !== undefined);
}

const grouped = (number: number) => number.toLocaleString('en');
