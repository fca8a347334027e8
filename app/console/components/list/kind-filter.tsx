import type { RequestKind } from '../../../../lib/contract/requests';
import { requestKinds } from '../request/request-kinds';
import { FilterSelect } from '../ui/select';

/** Narrows a list to one kind of request. */
export function KindFilter({
  label = 'Kind',
  value,
  onChange,
}: {
  readonly label?: string;
  readonly value: string;
  onChange(kind: string): void;
}) {
  return (
    <FilterSelect
      label={label}
      value={value}
      // Safe: the keys of the table are the kinds.
      options={(Object.keys(requestKinds) as RequestKind[]).map((kind) => [kind, requestKinds[kind].plural])}
      onChange={onChange}
    />
  );
}
