import type { KeyJson } from '../../../../lib/contract/keys';
import { FilterSelect } from '../ui/select';

export type NamedKey = Pick<KeyJson, 'id' | 'name'>;

/** Narrows a list to the requests of one key, or to those made in the console. */
export function KeyFilter({
  keys,
  value,
  onChange,
}: {
  readonly keys: readonly NamedKey[];
  readonly value: string;
  onChange(key: string): void;
}) {
  return (
    <FilterSelect
      label="Key"
      value={value}
      options={[['console', 'Console'], ...keys.map(({ id, name }) => [id, name] as const)]}
      onChange={onChange}
    />
  );
}
