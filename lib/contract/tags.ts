// The groups of operations, in the order of the reference.

export const tags = {
  Videos: 'Submit a video, poll it, download the file, list, cancel and delete.',
  Webhooks: 'The webhook deliveries of a video, and the body of a webhook.',
  Messages: 'The message-style text API, streamed or not, and token counting.',
  Audio: 'Speech-to-text and text-to-speech over WebSocket. The messages are described in `/asyncapi.json`.',
  Models: 'The catalog: models, providers, prices and capabilities.',
  Credits: 'The balance of the organisation.',
  Tools: 'The tools of the API for coding agents, over the Model Context Protocol.',
  Service: 'The health of the service, probes, and the documents that describe it.',
  'Manage keys': 'API keys, their limits, and tickets for sockets.',
  'Manage projects': 'Groups of keys with a budget, the policies of all levels, and their simulator.',
  'Manage videos': 'The videos of the organisation with their history, and the price of a request.',
  'Manage requests': 'The log of all requests, and the messages playground.',
  'Manage webhooks': 'Webhook endpoints, their secrets and deliveries.',
  'Manage usage': 'Usage, performance, ledger, statements, credits and alerts.',
  'Manage providers': "The organisation's own accounts at providers, and the providers that this installation offers.",
  'Manage the organisation': 'Members, invitations, settings, activity, search and audit log.',
  'Sign in': 'Signing up, and the sign-in of a person. API keys cannot call these.',
  Operator: 'Endpoints of the operator of the installation: organisations, credits, limits, providers, status.',
  Installation: 'The same for a signed-in person who operates the installation. API keys cannot call these.',
  Providers: 'URLs that only upstream providers call, each with a signature of its own.',
} as const;

export type Tag = keyof typeof tags;
