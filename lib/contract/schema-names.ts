import type { z } from 'zod';
import { activitySchema } from './activity';
import { alertSchema } from './alerts';
import { auditPageSchema, operatorEntryPageSchema } from './audit';
import { creditsSchema, transferSchema } from './credits';
import { documentSchema } from './documents';
import { errorSchema, messagesErrorSchema } from './errors';
import { jsonValue } from './fields';
import { healthSchema } from './health';
import { createdKeySchema, keySchema } from './keys';
import { memberSchema } from './members';
import { messageSchema } from './messages';
import { compatModelSchema, internalModelSchema, modelSchema } from './models';
import { installationStatusSchema, operatorSchema, supportViewSchema } from './installation';
import { madeInvitationSchema } from './invitations';
import {
  madeOrganizationSchema,
  organizationPageSchema,
  organizationSchema,
  organizationSettingsSchema,
} from './organizations';
import { projectSchema } from './projects';
import { verificationSchema } from './providers';
import { providerCredentialSchema, verifiedCredentialSchema } from './provider-credentials';
import { quoteSchema, requestQuoteSchema } from './quotes';
import {
  deletedVideoSchema,
  foundVideoSchema,
  submittedVideoSchema,
  videoDetailsSchema,
  videoRequestSchema,
  videoSchema,
} from './videos';
import { deliverySchema, endpointSchema, webhookSecretSchema } from './webhooks';

/** The names of schemas in `GET /openapi.json`. All other schemas are named after their operation. */
export const schemaNames: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [activitySchema, 'Activity'],
  [alertSchema, 'Alert'],
  [auditPageSchema, 'AuditLogPage'],
  [compatModelSchema, 'CompatModel'],
  [createdKeySchema, 'CreatedApiKey'],
  [creditsSchema, 'Credits'],
  [deletedVideoSchema, 'DeletedVideo'],
  [deliverySchema, 'WebhookDelivery'],
  [documentSchema, 'Document'],
  [endpointSchema, 'WebhookEndpoint'],
  [errorSchema, 'Error'],
  [foundVideoSchema, 'FoundVideo'],
  [healthSchema, 'Health'],
  [installationStatusSchema, 'InstallationStatus'],
  [internalModelSchema, 'ModelDetails'],
  [jsonValue, 'JsonValue'],
  [keySchema, 'ApiKey'],
  [madeInvitationSchema, 'MadeInvitation'],
  [madeOrganizationSchema, 'MadeOrganization'],
  [memberSchema, 'Member'],
  [messageSchema, 'Message'],
  [messagesErrorSchema, 'MessagesError'],
  [modelSchema, 'Model'],
  [operatorEntryPageSchema, 'OperatorEntryPage'],
  [operatorSchema, 'Operator'],
  [organizationPageSchema, 'OrganizationPage'],
  [organizationSchema, 'Organization'],
  [organizationSettingsSchema, 'OrganizationSettings'],
  [projectSchema, 'Project'],
  [providerCredentialSchema, 'ProviderCredential'],
  [quoteSchema, 'Quote'],
  [requestQuoteSchema, 'RequestQuote'],
  [submittedVideoSchema, 'SubmittedVideo'],
  [supportViewSchema, 'SupportView'],
  [transferSchema, 'CreditTransfer'],
  [verificationSchema, 'Verification'],
  [verifiedCredentialSchema, 'VerifiedCredential'],
  [videoDetailsSchema, 'VideoDetails'],
  [videoRequestSchema, 'VideoRequest'],
  [videoSchema, 'Video'],
  [webhookSecretSchema, 'WebhookSecret'],
]);
