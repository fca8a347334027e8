import type { Balances } from '../billing/ledger';
import { usdText } from '../domain/money';
import type { Mode } from '../domain/video';
import type { CreditsJson } from '../contract/credits';

/** Returns `{object:"credits", …}` of an account, as decimal strings. */
export function presentCredits(mode: Mode, { available, held, spent }: Balances): CreditsJson {
  return {
    object: 'credits',
    mode,
    currency: 'USD',
    available: usdText(available),
    held: usdText(held),
    spent: usdText(spent),
  };
}
