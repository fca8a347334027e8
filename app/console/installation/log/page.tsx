import type { Metadata } from 'next';
import type { OperatorEntryPageJson } from '../../../../lib/contract/audit';
import { isGatewayError } from '../../../../lib/domain/errors';
import { gateway } from '../../../../lib/runtime';
import { requireOperator } from '../../components/auth/current-person';
import { queryOf, someText } from '../../components/list/url-filter';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { apiPaths } from '../../api-paths';
import { paths, withQuery } from '../../paths';
import { LogView } from '../log-view';

export const metadata: Metadata = { title: 'Operator log' };

const PAGE = 50;

export default async function OperatorLogPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requireOperator(withQuery(paths.operatorLog(), query));
  const { clock, config, operator } = gateway();
  const after = someText(queryOf(query).get('after') ?? '');
  const found = await readQuietly(find);
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <LogView initial={found && { path: apiPaths.operatorEntries({ after }), found }} retention={config.retention} />
      </NowProvider>
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(): Promise<OperatorEntryPageJson | undefined> {
    try {
      return await operator.listEntries({ limit: PAGE, after });
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}
