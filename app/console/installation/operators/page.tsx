import type { Metadata } from 'next';
import { gateway } from '../../../../lib/runtime';
import { requireOperator } from '../../components/auth/current-person';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { paths } from '../../paths';
import { OperatorsView } from '../operators-view';

export const metadata: Metadata = { title: 'Operators' };

export default async function OperatorsPage() {
  const person = await requireOperator(paths.operators());
  const { clock, operator } = gateway();
  const initial = await readQuietly(() => operator.operators.list());
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <OperatorsView initial={initial} me={person.userId} />
      </NowProvider>
    </Shell>
  );
}
