import type { Metadata } from 'next';
import type { UsageJson } from '../../../lib/contract/usage';
import type { Actor } from '../../../lib/domain/caller';
import { utcDay } from '../../../lib/domain/clock';
import { isGatewayError } from '../../../lib/domain/errors';
import { parseUsageQuery } from '../../../lib/http/console/usage-endpoints';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { providerIds } from '../components/list/provider-ids';
import { queryOf } from '../components/list/url-filter';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { paths, withQuery } from '../paths';
import { parseUsageFilter, usagePath } from './usage-filter';
import { UsageView } from './usage-view';

export const metadata: Metadata = { title: 'Usage' };

export default async function UsagePage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  const person = await requirePerson(withQuery(paths.usage(), parameters));
  const mode = await currentMode(parameters.mode);
  const { accounts, alerts, catalog, usage, clock, baseUrl } = gateway();
  const { orgId } = person;
  const account = { orgId, mode };
  const actor: Actor = { orgId, role: person.role, userId: person.userId };
  const today = utcDay(clock.nowMs());
  const path = usagePath(mode, parseUsageFilter(queryOf(parameters), today));
  const [found, keys, credits, watched] = await readQuietly(() =>
    Promise.all([find(path), accounts.listKeys(actor), accounts.credits(account), alerts.list(account)]),
  );
  const models = catalog().list();

  return (
    <Shell person={person}>
      <UsageView
        key={mode}
        mode={mode}
        today={today}
        initial={found && { path, found }}
        credits={credits}
        alerts={watched}
        mayRefill={mode === 'test' && mayChange(person, 'edit')}
        models={models.map(({ id }) => id)}
        providers={providerIds(models)}
        keys={keys.flatMap((key) => (key.mode === mode ? [{ id: key.id, name: key.name }] : []))}
      />
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(wanted: string): Promise<UsageJson | undefined> {
    try {
      const parsed = parseUsageQuery(new URL(wanted, baseUrl).searchParams, clock.nowMs());
      return await usage.reports.read(account, parsed);
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}
