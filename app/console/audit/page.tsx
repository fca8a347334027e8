import type { Metadata } from 'next';
import { isGatewayError } from '../../../lib/domain/errors';
import { may } from '../../../lib/domain/roles';
import type { AuditPageJson } from '../../../lib/contract/audit';
import { parseAuditFilter, parseAuditPage } from '../../../lib/http/console/audit-endpoints';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { queryOf } from '../components/list/url-filter';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths, withQuery } from '../paths';
import { auditPath, parseAuditPageFilter } from './audit-filter';
import { AuditRefusal, AuditView } from './audit-view';

export const metadata: Metadata = { title: 'Audit log' };

export default async function AuditPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  const person = await requirePerson(withQuery(paths.auditLog(), parameters));
  if (!may(person.role, 'auditLog'))
    return (
      <Shell person={person}>
        <AuditRefusal role={person.role} />
      </Shell>
    );
  const { accounts, auditLog, baseUrl, clock, config, members } = gateway();
  const path = auditPath(parseAuditPageFilter(queryOf(parameters)));
  const [found, people, keys] = await readQuietly(() =>
    Promise.all([find(path), members.list(person), accounts.listKeys(person)]),
  );

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <AuditView
          role={person.role}
          initial={found && { path, found }}
          retention={config.retention}
          actors={[
            ...people.data.map(({ id, email }) => ({ id, name: email })),
            ...keys
              .filter(({ scopes }) => scopes.includes('manage'))
              .map(({ id, name }) => ({ id, name: `Key ${name}` })),
          ]}
        />
      </NowProvider>
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(wanted: string): Promise<AuditPageJson | undefined> {
    try {
      const { searchParams: query } = new URL(wanted, baseUrl);
      return await auditLog.list(person, parseAuditFilter(query, clock.now()), parseAuditPage(query));
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}
