import type { KeyJson } from '../../../lib/contract/keys';
import type { Mode } from '../../../lib/domain/video';
import { usedPercent } from '../components/ui/limit-bar';

// State and notes of a key in the list, and its filters. A key has one state; notes are additional warnings.

export type KeyState = 'active' | 'limited' | 'disabled' | 'expired' | 'revoked';
export type KeyNote = 'expiring' | 'unused';

/** Keys that expire within this time have a warning. */
const EXPIRY_WARNING_SECONDS = 7 * 86_400;

/**
 * Returns the state of a key. It is `limited` if its spend limit or the budget of its project is used up: paid requests
 * are refused until that resets.
 */
export function stateOf(key: KeyJson): KeyState {
  if (key.status !== 'active') return key.status;
  return isUsedUp(key.limit) || isUsedUp(key.project?.limit) ? 'limited' : 'active';
}

export function isUsedUp(limit: KeyJson['limit'] | undefined): boolean {
  return !!limit && usedPercent(limit.spent, limit.amount) >= 100;
}

/** Whether the key expires within seven days, or has expired. */
export function expiresSoon({ expires_at: at }: Pick<KeyJson, 'expires_at'>, nowMs: number): boolean {
  return at !== null && at - nowMs / 1000 < EXPIRY_WARNING_SECONDS;
}

export function notesOf(key: KeyJson, nowMs: number): readonly KeyNote[] {
  if (key.status === 'revoked' || key.status === 'expired') return [];
  return [
    ...(expiresSoon(key, nowMs) ? (['expiring'] as const) : []),
    ...(key.last_used_at === null ? (['unused'] as const) : []),
  ];
}

export interface KeyFilter {
  /** Absent: both. */
  readonly mode?: Mode;
  /** Absent: every key that is not revoked. */
  readonly status?: KeyState | KeyNote;
  readonly search: string;
}

export function parseKeyStatus(text: string | null): KeyFilter['status'] {
  return KEY_STATUSES.find((status) => status === text);
}

export const KEY_STATUSES = [
  'active',
  'limited',
  'expiring',
  'unused',
  'disabled',
  'expired',
  'revoked',
] as const satisfies readonly (KeyState | KeyNote)[];

export function hasStatus(key: KeyJson, status: KeyFilter['status'], nowMs: number): boolean {
  if (status === undefined) return key.status !== 'revoked';
  return stateOf(key) === status || notesOf(key, nowMs).some((note) => note === status);
}

/**
 * Returns the keys that match a filter, in their order. Search words are looked up in the name, the visible part, the
 * id and the creator.
 */
export function filterKeys(
  keys: readonly KeyJson[],
  { mode, status, search }: KeyFilter,
  nowMs: number,
): readonly KeyJson[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return keys.filter((key) => {
    if (mode !== undefined && key.mode !== mode) return false;
    if (!hasStatus(key, status, nowMs)) return false;
    const text = `${key.name} ${key.display} ${key.id} ${key.created_by_name ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
