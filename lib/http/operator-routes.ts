import type { Handler, OperatorContext } from './handler';
import {
  addOperator,
  changeOrganizationLimits,
  createManagedOrganization,
  createOrganizationKey,
  inviteOwner,
  listOperatorAuditEntries,
  listOperators,
  listOrganizations,
  listProviders,
  listTransfers,
  readSupportView,
  readInstallationStatus,
  readManagedOrganization,
  readOrganizationLimits,
  removeOperator,
  resumeOrganization,
  suspendOrganization,
  transferCredits,
  verifyProviders,
} from './handlers/operator';
import type { Route, RouteMethod } from './route-table';

// The routes of the operator. Most have two patterns: whatever a person can do in the console, a script can do with the
// operator's token.

interface SharedRoute {
  readonly method: RouteMethod;
  /** The path below /internal/operator and /console/api/installation. */
  readonly path: string;
  /** Whether a person must have signed in recently; see `GuardedRoute`. */
  readonly fresh?: true;
  readonly handler: Handler<OperatorContext>;
}

const shared: readonly SharedRoute[] = [
  { method: 'GET', path: '/organizations', handler: listOrganizations },
  { method: 'POST', path: '/organizations', fresh: true, handler: createManagedOrganization },
  { method: 'GET', path: '/organizations/:id', handler: readManagedOrganization },
  { method: 'POST', path: '/organizations/:id/invitations', fresh: true, handler: inviteOwner },
  { method: 'POST', path: '/organizations/:id/suspend', fresh: true, handler: suspendOrganization },
  { method: 'POST', path: '/organizations/:id/resume', fresh: true, handler: resumeOrganization },
  { method: 'GET', path: '/organizations/:id/support', handler: readSupportView },
  { method: 'GET', path: '/transfers', handler: listTransfers },
  { method: 'POST', path: '/transfers', fresh: true, handler: transferCredits },
  { method: 'GET', path: '/providers', handler: listProviders },
  { method: 'POST', path: '/providers/verify', handler: verifyProviders },
  { method: 'GET', path: '/status', handler: readInstallationStatus },
  { method: 'GET', path: '/operators', handler: listOperators },
  { method: 'POST', path: '/operators', fresh: true, handler: addOperator },
  { method: 'DELETE', path: '/operators/:id', fresh: true, handler: removeOperator },
  { method: 'GET', path: '/audit-entries', handler: listOperatorAuditEntries },
];

export const operatorRoutes: readonly Route[] = [
  ...shared.flatMap(({ path, fresh, ...route }): Route[] => [
    { ...route, pattern: `/internal/operator${path}`, access: 'operator' },
    { ...route, pattern: `/console/api/installation${path}`, access: 'installation', ...(fresh && { fresh }) },
  ]),
  { method: 'GET', pattern: '/internal/operator/limits', access: 'operator', handler: readOrganizationLimits },
  { method: 'PATCH', pattern: '/internal/operator/limits', access: 'operator', handler: changeOrganizationLimits },
  // Only for scripts: with such a key, a person could act as the organisation.
  { method: 'POST', pattern: '/internal/operator/keys', access: 'operator', handler: createOrganizationKey },
];
