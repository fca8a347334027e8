import type { NextAuthOptions } from 'next-auth';
import type { OAuthConfig } from 'next-auth/providers/oauth';
import type { AccountElsewhere } from '../../../../lib/accounts/sign-in-methods';
import type { Config, OAuthClient } from '../../../../lib/config/config';

// GitHub and Google as next-auth provider options. We do not use its profile mapping, because it treats every e-mail
// address of a profile as verified.

declare module 'next-auth' {
  interface User {
    account?: AccountElsewhere;
  }
}

interface GitHubProfile {
  readonly id: number;
  readonly login: string;
  readonly name?: string | null;
  readonly provenEmails: readonly string[];
}

interface GoogleProfile {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
}

/** Returns the next-auth providers of the configured services. */
export function services({ oauth: { github, google } }: Config): NextAuthOptions['providers'] {
  return [...(github ? [gitHub(github)] : []), ...(google ? [googleOf(google)] : [])];
}

function gitHub({ id, secret, baseUrl }: OAuthClient): OAuthConfig<GitHubProfile> {
  const site = baseUrl ?? 'https://github.com';
  const api = baseUrl === undefined ? 'https://api.github.com' : `${baseUrl}/api/v3`;
  return {
    id: 'github',
    name: 'GitHub',
    type: 'oauth',
    clientId: id,
    clientSecret: secret,
    issuer: `${site}/login/oauth`,
    checks: ['state', 'pkce'],
    authorization: { url: `${site}/login/oauth/authorize`, params: { scope: 'read:user user:email' } },
    token: `${site}/login/oauth/access_token`,
    userinfo: {
      url: `${api}/user`,
      async request({ tokens }) {
        const ask = async (path: string) => {
          const response = await fetch(`${api}${path}`, {
            headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json' },
          });
          if (!response.ok) throw new Error(`The service answered with status ${response.status}.`);
          return response.json() as Promise<unknown>;
        };
        const [user, emails] = await Promise.all([ask('/user'), ask('/user/emails')]);
        // Safe: GitHub's documented responses; a missing address counts as unverified.
        const list = (Array.isArray(emails) ? emails : []) as { email: string; primary: boolean; verified: boolean }[];
        const proven = list.filter(({ verified }) => verified).sort((a, b) => Number(b.primary) - Number(a.primary));
        return { ...(user as object), provenEmails: proven.map(({ email }) => email) } as never; // Safe: `profile` below is its only reader.
      },
    },
    profile: (profile) => ({
      id: String(profile.id),
      account: {
        service: 'github',
        accountId: String(profile.id),
        provenEmails: profile.provenEmails,
        name: profile.name ?? profile.login,
      },
    }),
  };
}

function googleOf({ id, secret, baseUrl = 'https://accounts.google.com' }: OAuthClient): OAuthConfig<GoogleProfile> {
  return {
    id: 'google',
    name: 'Google',
    type: 'oauth',
    clientId: id,
    clientSecret: secret,
    wellKnown: `${baseUrl}/.well-known/openid-configuration`,
    issuer: baseUrl,
    idToken: true,
    checks: ['state', 'pkce', 'nonce'],
    authorization: { params: { scope: 'openid email profile' } },
    profile: ({ sub, email, email_verified: verified, name }) => ({
      id: sub,
      account: {
        service: 'google',
        accountId: sub,
        provenEmails: verified === true && email !== undefined ? [email] : [],
        name,
      },
    }),
  };
}
