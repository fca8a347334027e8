import type { MeterOutcome } from '../../lib/db/schema/index';
import type { Role, Scope } from '../../lib/domain/caller';
import type { Mode } from '../../lib/domain/video';
import type { VideoEndCode } from '../../lib/videos/finish-video';

// The contents of the demo data.

interface KeyPlan {
  readonly name: string;
  readonly mode: Mode;
  readonly scopes: readonly Scope[];
  readonly allowedModels?: readonly string[];
  readonly allowedAddresses?: readonly string[];
  /** In days after the first day of the demo data. */
  readonly expiresAfterDays?: number;
  /** Set after the key's work is written. */
  readonly limit?: { readonly amount: string; readonly period: 'total' | 'daily' | 'weekly' | 'monthly' };
  readonly end?: 'disabled' | 'revoked';
}

export const keyPlans: readonly KeyPlan[] = [
  { name: 'Production', mode: 'live', scopes: ['inference'] },
  { name: 'Mobile app', mode: 'live', scopes: ['inference'], limit: { amount: '60', period: 'monthly' } },
  { name: 'Batch jobs', mode: 'live', scopes: ['inference'], limit: { amount: '5', period: 'total' } },
  { name: 'Contractor', mode: 'live', scopes: ['inference'], expiresAfterDays: 350 },
  { name: 'Old server', mode: 'live', scopes: ['inference'], end: 'revoked' },
  {
    name: 'Deploy script',
    mode: 'live',
    scopes: ['inference', 'manage'],
    allowedAddresses: ['203.0.113.0/24'],
    end: 'disabled',
  },
  { name: 'Staging', mode: 'test', scopes: ['inference'] },
  {
    name: 'Continuous integration',
    mode: 'test',
    scopes: ['inference'],
    allowedModels: ['sandbox-t2v', 'sandbox-text'],
    expiresAfterDays: 420,
  },
];

export const videoModels = [
  'sandbox-t2v',
  'sandbox-t2v',
  'veo-3.1-fast-t2v',
  'kling-3.0-t2v',
  'kling-3.0-i2v',
  'wan-2.7-t2v',
  'seedance-2.0-fast-t2v',
  'pixverse-v6-t2v',
  'hailuo-2.3-i2v',
  'sora-2-t2v',
];

export const messageModels = [
  'claude-sonnet-5-5',
  'claude-haiku-4-5',
  'deepseek-flash',
  'kimi-k2.6',
  'glm-4.7',
  'sandbox-text',
];

/** The texts of the speech sessions of the last weeks. */
export const speechTexts: readonly string[] = [
  'Your parcel will arrive tomorrow between ten and twelve.',
  'Good morning.\nI am calling about my order from last week.\nThe blue lamp came without a bulb.',
  'Turn left at the harbour, then follow the road along the water for two kilometres.',
  'We close at eight tonight.\nThe last tour begins at seven.',
  'Thank you for waiting. How can I help you today?',
];

/** The conversations of the last weeks: a question and the beginning of its answer. */
export const conversations: readonly (readonly [question: string, answer: string])[] = [
  [
    'Summarise this support ticket in one sentence.',
    'The customer was billed twice for October and asks for a refund.',
  ],
  ['Translate to French: "Your video is ready."', '« Votre vidéo est prête. »'],
  ['Write a caption for a photo of a paper boat at dawn.', 'A small voyage begins before the world is awake.'],
  ['Which of these words is a river: oak, Loire, flint?', 'Loire.'],
];

export const speechModels = ['nova-3', 'stt-rt-v5', 'sandbox-stt', 'sonic-3.5', 'sandbox-tts'];

export const prompts = [
  'A paper boat crosses a pond at dawn, camera low over the water',
  'A lighthouse in a storm, waves breaking over the rocks, slow motion',
  'A cup of coffee on a wooden table, steam rising in morning light',
  'A fox runs through fresh snow, tracking shot',
  'Time lapse of a city skyline from dusk to night',
  'A hand draws a floor plan in ink, close-up',
  'A red bicycle leans against a blue wall while leaves fall',
  'An old train crosses a stone bridge in autumn, aerial view',
];

/** Reserved for documentation: this host never resolves. */
export const callbackUrl = 'https://app.example/webhooks/patchbay';

export const completedShare = 0.8;

/** The error codes of sessions by the outcome; outcomes without an error have none. */
export const meterCodes: Readonly<Partial<Record<MeterOutcome, string>>> = {
  budget: 'insufficient_credits',
  recovered: 'process_ended',
  failed: 'upstream_timeout',
};

/** The ways in which videos fail. */
export const endings: readonly { readonly code: VideoEndCode; readonly message: string }[] = [
  { code: 'content_policy_violation', message: 'The provider refused the prompt for its content.' },
  { code: 'generation_failed', message: 'The provider could not make this video.' },
  { code: 'upstream_timeout', message: 'The provider did not finish the video in time.' },
  { code: 'cancelled', message: 'The video was cancelled.' },
];

/** Other organisations of the installation. */
export const organizationPlans: readonly {
  readonly name: string;
  readonly daysAgo: number;
  readonly liveCredits?: string;
  /** The reason why the operator has suspended the organisation; absent if it is not suspended. */
  readonly suspendedFor?: string;
  /** Whether an owner has accepted the invitation. */
  readonly isJoined?: true;
}[] = [
  { name: 'Northwind Films', daysAgo: 190, liveCredits: '2500', isJoined: true },
  { name: 'Globex Advertising', daysAgo: 64, liveCredits: '180.50', isJoined: true },
  { name: 'Initech', daysAgo: 31, liveCredits: '12', suspendedFor: 'Invoice 2077 is not paid', isJoined: true },
  { name: 'Umbrella Studios', daysAgo: 2 },
];

/** Members besides the owner, in the order in which they joined. */
export const personPlans: readonly {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly daysAgo: number;
  /** Days since they last opened the console. */
  readonly seenDaysAgo: number;
  /** The role in the invitation, if the owner changed it later. */
  readonly formerRole?: Role;
}[] = [
  {
    name: 'Ada Okafor',
    email: 'ada@team.example',
    role: 'admin',
    daysAgo: 340,
    seenDaysAgo: 0.1,
    formerRole: 'developer',
  },
  { name: 'Ben Lindqvist', email: 'ben@team.example', role: 'developer', daysAgo: 210, seenDaysAgo: 0.9 },
  { name: 'Chiara Rossi', email: 'chiara@team.example', role: 'developer', daysAgo: 96, seenDaysAgo: 6 },
  { name: 'Vera Novak', email: 'vera@team.example', role: 'viewer', daysAgo: 61, seenDaysAgo: 27 },
];

/** The second invitation has expired. */
export const invitationPlans: readonly { readonly role: Role; readonly email?: string; readonly daysAgo: number }[] = [
  { role: 'viewer', email: 'auditor@partner.example', daysAgo: 30 },
  { role: 'developer', email: 'daniel@team.example', daysAgo: 2 },
  { role: 'viewer', daysAgo: 0.2 },
];

/** `by` is the name of a member. The budget of the second is spent. */
export const projectPlans: readonly {
  readonly by: string;
  readonly daysAgo: number;
  readonly mode: Mode;
  readonly name: string;
  readonly limit?: { readonly amount: string; readonly period: 'total' | 'daily' | 'weekly' | 'monthly' };
  readonly allowed_models?: readonly string[];
  readonly max_price_per_request?: string;
  /** Names of its keys. */
  readonly keys: readonly string[];
}[] = [
  {
    by: 'Ada Okafor',
    daysAgo: 250,
    mode: 'live',
    name: 'Mobile app',
    limit: { amount: '60', period: 'monthly' },
    keys: ['Mobile app', 'Production'],
  },
  {
    by: 'Ada Okafor',
    daysAgo: 40,
    mode: 'live',
    name: 'Autumn campaign',
    limit: { amount: '5', period: 'total' },
    max_price_per_request: '2',
    keys: ['Batch jobs'],
  },
  {
    by: 'owner',
    daysAgo: 120,
    mode: 'test',
    name: 'Quality assurance',
    allowed_models: ['sandbox-t2v', 'sandbox-text'],
    keys: ['Continuous integration'],
  },
];

export const alertPlans: readonly {
  readonly by: string;
  readonly daysAgo: number;
  readonly mode: Mode;
  readonly kind: 'low_balance' | 'daily_spend' | 'monthly_spend';
  readonly amount: string;
}[] = [
  { by: 'owner', daysAgo: 330, mode: 'live', kind: 'low_balance', amount: '5' },
  { by: 'Ada Okafor', daysAgo: 200, mode: 'live', kind: 'monthly_spend', amount: '50' },
  { by: 'Ada Okafor', daysAgo: 60, mode: 'live', kind: 'daily_spend', amount: '20' },
];

/** The policy of the organisation, and when it was set. */
export const policyPlan = { daysAgo: 75, policy: { max_price_per_request: '25' } };

/** How many days the organisation keeps the conversations of messages and the texts of speech. */
export const KEPT_DAYS = 30;

/** A second organisation of the same owner. */
export const secondOrganization = 'Side project';
