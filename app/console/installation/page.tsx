import type { Metadata } from 'next';
import type { OrganizationPageJson } from '../../../lib/contract/organizations';
import { isGatewayError } from '../../../lib/domain/errors';
import { parseOrganizationListing } from '../../../lib/http/handlers/operator';
import { gateway } from '../../../lib/runtime';
import { requireOperator } from '../components/auth/current-person';
import { queryOf } from '../components/list/url-filter';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths, withQuery } from '../paths';
import { organizationsPath, parseOrganizationFilter } from './organization-filter';
import { OrganizationsView } from './organizations-view';

export const metadata: Metadata = { title: 'Organisations' };

export default async function InstallationPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const person = await requireOperator(withQuery(paths.installation(), query));
  const { baseUrl, clock, operator, signInMethods } = gateway();
  const path = organizationsPath(parseOrganizationFilter(queryOf(query)));
  const found = await readQuietly(() => find(path));

  return (
    <Shell person={person} wide>
      <NowProvider startMs={clock.nowMs()}>
        <OrganizationsView initial={found && { path, found }} canMail={signInMethods.mailsLinks} />
      </NowProvider>
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(wanted: string): Promise<OrganizationPageJson | undefined> {
    try {
      const { searchParams: query } = new URL(wanted, baseUrl);
      return await operator.listOrganizations(parseOrganizationListing({ query }));
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}
