import type { AlertJson } from '../../../../lib/contract/alerts';

export const ALERT_KINDS = [
  ['low_balance', 'Available credits below'],
  ['daily_spend', 'Spent in a day'],
  ['monthly_spend', 'Spent in a month'],
] as const satisfies readonly (readonly [AlertJson['kind'], string])[];

/** Returns the title of an alert, which is followed by its amount. */
export function alertTitle(kind: AlertJson['kind']): string {
  return ALERT_KINDS.find(([name]) => name === kind)?.[1] ?? kind;
}
