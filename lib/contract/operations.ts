import { keyOperations } from './operations/manage-keys';
import { memberOperations } from './operations/manage-members';
import { organizationOperations } from './operations/manage-organization';
import { projectOperations } from './operations/manage-projects';
import { usageOperations } from './operations/manage-usage';
import { managedVideoOperations, requestOperations } from './operations/manage-videos';
import { webhookOperations } from './operations/manage-webhooks';
import { messageOperations } from './operations/messages';
import { modelOperations } from './operations/models';
import type { Operation } from './operations/operation';
import { operatorOperations } from './operations/operator';
import { serviceOperations } from './operations/service';
import { videoOperations } from './operations/videos';

/**
 * Describes every operation of the API. A test compares the list with the routes, `GET /openapi.json` is generated from
 * it, and the HTTP tests check every response against it.
 */
export const operations: readonly Operation[] = [
  ...videoOperations,
  ...messageOperations,
  ...modelOperations,
  ...serviceOperations,
  ...keyOperations,
  ...managedVideoOperations,
  ...requestOperations,
  ...webhookOperations,
  ...usageOperations,
  ...organizationOperations,
  ...memberOperations,
  ...projectOperations,
  ...operatorOperations,
];
