import type { Mode } from '../../lib/domain/video';

// Every address of the console, built here and nowhere else.

const query = (values: Readonly<Record<string, string | undefined>>) => {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return entries.length ? `?${new URLSearchParams(entries)}` : '';
};

export const paths = {
  overview: (mode?: Mode) => `/console${query({ mode })}`,
  signIn: (next?: string) => `/console/sign-in${query({ next })}`,
  signUp: () => '/console/sign-up',
  speech: () => '/console/speech',
} as const;

/** The sockets that the console opens, with a ticket each. */
export const socketPaths = {
  transcriptions: '/v1/audio/transcriptions/ws',
  speech: '/v1/audio/speech/ws',
} as const;

export const apiPaths = {
  keys: () => '/console/api/keys',
  key: (id: string) => `/console/api/keys/${encodeURIComponent(id)}`,
  rotateKey: (id: string) => `/console/api/keys/${encodeURIComponent(id)}/rotate`,
  videos: (mode: Mode) => `/console/api/videos${query({ mode })}`,
  credits: (mode: Mode) => `/console/api/credits${query({ mode })}`,
  refillCredits: () => '/console/api/credits/refill',
  webhookSecret: () => '/console/api/webhook-secret',
  rotateWebhookSecret: () => '/console/api/webhook-secret/rotate',
  signUp: () => '/console/api/sign-up',
  socketTickets: () => '/console/api/socket-tickets',
  signOutEverywhere: () => '/console/api/sign-out-everywhere',
  csrf: () => '/api/auth/csrf',
  session: () => '/api/auth/session',
  signInWithPassword: () => '/api/auth/callback/credentials',
  signOut: () => '/api/auth/signout',
} as const;
