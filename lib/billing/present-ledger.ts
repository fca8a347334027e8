import type { LedgerLineJson } from '../contract/videos';
import type { LedgerEntryRow } from '../db/ledger';
import { exactSeconds } from '../domain/clock';
import { usdText } from '../domain/money';

/** Groups the entries into one line per transfer. */
export function presentLedger(entries: readonly LedgerEntryRow[]): LedgerLineJson[] {
  const transfers = new Map<string, LedgerEntryRow[]>();
  for (const entry of entries) transfers.set(entry.transferId, [...(transfers.get(entry.transferId) ?? []), entry]);
  return [...transfers.values()].flatMap((parts) => {
    const [first] = parts;
    if (!first) return [];
    const moved = (bucket: LedgerEntryRow['bucket']) =>
      usdText(parts.reduce((sum, part) => (part.bucket === bucket ? sum + part.amountNanoUsd : sum), 0n));
    return [
      {
        id: first.transferId,
        kind: first.kind,
        at: exactSeconds(first.createdAt),
        available: moved('available'),
        held: moved('held'),
        charged: moved('revenue'),
      },
    ];
  });
}
