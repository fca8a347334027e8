import { usd } from '../components/ui/money';

// What the actions of the audit log mean.

/** The first parts of actions, for the filter. */
export const ACTION_GROUPS: readonly (readonly [group: string, label: string])[] = [
  ['key', 'API keys'],
  ['member', 'Members'],
  ['invitation', 'Invitations'],
  ['ownership', 'Ownership'],
  ['organization', 'Organisation'],
  ['project', 'Projects'],
  ['policy', 'Policy'],
  ['sign_in', 'Sign-ins'],
  ['password', 'Passwords'],
  ['webhook_secret', 'Webhook secret'],
  ['webhook_endpoint', 'Webhook endpoints'],
  ['webhook_delivery', 'Webhook deliveries'],
  ['webhook_deliveries', 'Webhook deliveries, many at once'],
  ['provider_credential', 'Own accounts'],
  ['video', 'Videos'],
  ['alert', 'Alerts'],
  ['test_credits', 'Test credits'],
  ['credits', 'Credits'],
  ['limits', 'Limits'],
];

const ACTION_WORDS: Readonly<Record<string, string>> = {
  'key.created': 'Created an API key',
  'key.changed': 'Changed an API key',
  'key.revoked': 'Revoked an API key',
  'key.rotated': 'Rotated an API key',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a member',
  'member.left': 'Left the organisation',
  'ownership.transferred': 'Transferred the ownership',
  'invitation.created': 'Made an invitation',
  'invitation.resent': 'Made a new link for an invitation',
  'invitation.revoked': 'Withdrew an invitation',
  'invitation.accepted': 'Joined with an invitation',
  'organization.created': 'Created the organisation',
  'organization.changed': 'Changed the settings',
  'organization.deletion_requested': 'Asked to delete the organisation',
  'organization.restored': 'Restored the organisation',
  'organization.suspended': 'Suspended the organisation',
  'organization.resumed': 'Lifted the suspension',
  'organization.viewed': 'Looked into the organisation for support',
  'project.created': 'Created a project',
  'project.changed': 'Changed a project',
  'project.deleted': 'Deleted a project',
  'policy.changed': 'Changed the policy of the organisation',
  'sign_in.password': 'Signed in with the password',
  'sign_in.link': 'Signed in with a link by e-mail',
  'sign_in.github': 'Signed in with GitHub',
  'sign_in.google': 'Signed in with Google',
  'sign_in.ended_everywhere': 'Signed out everywhere',
  'password.changed': 'Changed the own password',
  'webhook_secret.revealed': 'Looked at the webhook secret',
  'webhook_secret.rotated': 'Rotated the webhook secret',
  'webhook_endpoint.created': 'Added a webhook endpoint',
  'webhook_endpoint.changed': 'Changed a webhook endpoint',
  'webhook_endpoint.removed': 'Removed a webhook endpoint',
  'webhook_endpoint.tested': 'Tested a webhook endpoint',
  'webhook_endpoint.secret_revealed': 'Looked at the secret of a webhook endpoint',
  'webhook_endpoint.secret_rotated': 'Rotated the secret of a webhook endpoint',
  'webhook_delivery.resent': 'Sent a webhook again',
  'webhook_deliveries.resent': 'Sent several webhooks again',
  'provider_credential.stored': 'Stored a key of an own account',
  'provider_credential.verified': 'Verified an own account',
  'provider_credential.removed': 'Removed an own account',
  'video.created': 'Created a video in the console',
  'video.cancelled': 'Cancelled a video',
  'video.deleted': 'Deleted a video',
  'alert.created': 'Added an alert',
  'alert.changed': 'Changed an alert',
  'alert.removed': 'Removed an alert',
  'test_credits.refilled': 'Refilled the test credits',
  'credits.granted': 'Granted credits',
  'credits.adjusted': 'Adjusted the credits',
  'credits.refunded': 'Refunded credits',
  'limits.changed': 'Changed the limits',
  'operator.added': 'Made a person an operator',
  'operator.removed': 'Removed an operator',
  'providers.verified': 'Verified providers',
};

/** An action as people read it; an unknown one as it is stored. */
export function actionWords(action: string): string {
  return ACTION_WORDS[action] ?? action;
}

/** The detail of an entry. A transfer of credits begins with its amount, which is written with cents as on other pages. */
export function detailWords(action: string, detail: string): string {
  if (!action.startsWith('credits.')) return detail;
  return detail.replace(
    /^(test|live) (-?)\$(\d+(?:\.\d+)?)(?=: )/,
    (_all, mode: string, sign: string, amount: string) => `${mode} ${usd(sign + amount)}`,
  );
}
