import type { Metadata } from 'next';
import Link from 'next/link';
import { presentCatalogEntry } from '../../../lib/catalog/present-entry';
import { may } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { Catalog } from './catalog';
import { parseCatalogQuery, printCatalogQuery } from './catalog-query';
import { readSearchParams, type SearchParams } from './read-search-params';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { linkClass } from '../components/ui/link-class';
import { paths } from '../paths';
import { PageHeading } from '../components/ui/page-heading';

export const metadata: Metadata = { title: 'Models' };

export default async function ModelsPage({ searchParams }: { readonly searchParams: Promise<SearchParams> }) {
  const parameters = readSearchParams(await searchParams);
  const person = await requirePerson(paths.models() + printCatalogQuery(parseCatalogQuery(parameters)));
  const catalog = await readQuietly(() => gateway().catalogOf({ orgId: person.orgId, mode: 'live' }));
  const entries = catalog.list({ includeDeactivated: true }).map((model) => presentCatalogEntry(catalog, model));
  return (
    <Shell person={person} wide>
      <PageHeading
        title="Models"
        description={
          <>
            With a test key you can call every model: the sandbox on this machine answers, and the price of the model is
            charged to test credits. With a live key you can call the models marked Live. “Not set up here” means that
            the operator has to configure a provider or confirm its price first, or that your organisation needs an
            account of its own there; “Not available yet” means that this version cannot call any provider of the model.
            {may(person.role, 'providers') && (
              <>
                {' '}
                <Link href={paths.providers()} prefetch={false} className={linkClass}>
                  See what each provider needs
                </Link>
              </>
            )}
          </>
        }
      />
      <Catalog entries={entries} />
    </Shell>
  );
}
