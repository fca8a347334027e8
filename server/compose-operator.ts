import type { CatalogFile } from '../lib/catalog/catalog-file';
import type { Config } from '../lib/config/config';
import type { Provider, ProviderDefinition } from '../lib/domain/provider';
import type { ProviderId } from '../lib/domain/ids';
import { createInstallationStatus, type InstallationStatusDeps } from '../lib/operator/installation-status';
import { createManagedOrganizations, type ManagedOrganizationsDeps } from '../lib/operator/managed-organizations';
import { createOperator, type Operator, type OperatorDeps } from '../lib/operator/operator';
import { createOperators } from '../lib/operator/operators';
import { createOrganizationLimits } from '../lib/operator/organization-limits';
import { createProviderReports, type ProviderReportsDeps } from '../lib/operator/provider-reports';
import { createSupportView, type SupportViewDeps } from '../lib/operator/support-view';

/**
 * Composes what operators see and change: organisations, credits, limits, providers, and the state of the installation.
 */
export function composeOperator(
  config: Config,
  deps: Pick<OperatorDeps, 'db' | 'clock' | 'counters' | 'log' | 'transfers' | 'token'> &
    Pick<ManagedOrganizationsDeps, 'ledger' | 'sealer' | 'invitations'> &
    Pick<SupportViewDeps, 'members' | 'requests'> &
    Pick<InstallationStatusDeps, 'version' | 'health' | 'load' | 'circuits'> &
    Pick<ProviderReportsDeps, 'catalog' | 'verify'> & {
      readonly accounts: OperatorDeps['accounts'] &
        ManagedOrganizationsDeps['accounts'] &
        SupportViewDeps['accounts'] &
        Parameters<typeof createOperators>[0]['accounts'];
      readonly definitions: readonly ProviderDefinition[];
      readonly installed: ReadonlyMap<ProviderId, Provider>;
      readonly catalogFile: CatalogFile | undefined;
    },
): Operator {
  const { db, definitions, installed, catalogFile } = deps;
  const organizations = createManagedOrganizations(deps);
  const limits = createOrganizationLimits({ db, configured: config.limits.organization });
  return createOperator({
    ...deps,
    organizations,
    limits,
    readSupportView: createSupportView({ ...deps, organizations, limits }),
    status: createInstallationStatus({
      ...deps,
      role: config.role,
      catalogFile:
        catalogFile && config.catalogFile !== undefined
          ? { path: config.catalogFile, errors: () => catalogFile.errors() }
          : undefined,
      providers: { offered: installed.size, known: definitions.length },
    }),
    operators: createOperators(deps),
    providers: createProviderReports({ ...deps, settings: config.providerSettings, providers: installed }),
  });
}
