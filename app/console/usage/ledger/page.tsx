import type { Metadata } from 'next';
import type { LedgerPageJson } from '../../../../lib/contract/usage';
import type { Actor } from '../../../../lib/domain/caller';
import { isGatewayError } from '../../../../lib/domain/errors';
import { parseLedgerQuery } from '../../../../lib/http/console/usage-endpoints';
import { gateway } from '../../../../lib/runtime';
import { requirePerson } from '../../components/auth/current-person';
import { queryOf } from '../../components/list/url-filter';
import { currentMode } from '../../components/shell/current-mode';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { NowProvider } from '../../components/ui/now';
import { paths, withQuery } from '../../paths';
import { ledgerPath, parseLedgerFilter } from './ledger-filter';
import { LedgerView } from './ledger-view';

export const metadata: Metadata = { title: 'Ledger' };

export default async function LedgerPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  const person = await requirePerson(withQuery(paths.ledger(), parameters));
  const mode = await currentMode(parameters.mode);
  const { accounts, usage, clock, baseUrl } = gateway();
  const account = { orgId: person.orgId, mode };
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const path = ledgerPath(mode, parseLedgerFilter(queryOf(parameters)));
  const [found, keys] = await readQuietly(() => Promise.all([find(path), accounts.listKeys(actor)]));
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <LedgerView
          key={mode}
          mode={mode}
          initial={found && { path, found }}
          keys={keys.flatMap((key) => (key.mode === mode ? [{ id: key.id, name: key.name }] : []))}
        />
      </NowProvider>
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(wanted: string): Promise<LedgerPageJson | undefined> {
    try {
      return await usage.ledger.list(account, parseLedgerQuery(new URL(wanted, baseUrl).searchParams));
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}
