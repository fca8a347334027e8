'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import useSWR from 'swr';
import type { AcceptedInvitationJson, OpenedInvitationJson } from '../../../lib/contract/invitations';
import { signOut } from '../components/auth/browser-sign-in';
import { openOrganization } from '../components/shell/organization';
import { ListError } from '../components/shell/request-error';
import { keepTabText, readTabText } from '../components/tab-storage';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { FormError } from '../components/ui/field';
import { LoadingArea, Skeleton } from '../components/ui/skeleton';
import { useAsyncAction } from '../components/ui/use-async-action';
import { roleName } from '../members/role-words';
import { ApiError } from '../../../lib/client/errors';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import { InvitationSignUp } from './invitation-sign-up';

// The token is in the fragment of the link, which browsers do not send to servers. The tab stores it, so that it is
// still there after signing in.

const STORED = 'patchbay:invitation';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

function onHashChange(changed: () => void) {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}

/** Returns the token of the link, otherwise the one that this tab has stored; undefined on the server. */
function useToken(): string | undefined {
  return useSyncExternalStore(
    onHashChange,
    () => window.location.hash.slice(1) || (readTabText(STORED) ?? ''),
    () => undefined,
  );
}

/** `email` is the address of the signed-in user; undefined without a sign-in. */
export function InvitationView({ email }: { readonly email: string | undefined }) {
  const token = useToken();
  const isWhole = token !== undefined && TOKEN.test(token);
  useEffect(() => {
    if (isWhole) keepTabText(STORED, token);
  }, [isWhole, token]);
  const { data, error, isLoading, mutate } = useSWR<OpenedInvitationJson, unknown>(
    isWhole ? [apiPaths.openInvitation(), token] : null,
    () => send<OpenedInvitationJson>('POST', apiPaths.openInvitation(), { token }),
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );

  if (token !== undefined && !isWhole)
    return <Useless message="This link is not complete. Copy the whole link from the invitation." />;
  if (data) return <Opened invitation={data} token={token ?? ''} email={email} />;
  if (error instanceof ApiError && error.status === 404)
    return <Useless message="This invitation was used or withdrawn, or is older than 7 days." />;
  if (error !== undefined) return <ListError error={error} busy={isLoading} onRetry={() => void mutate()} />;
  return (
    <LoadingArea label="Loading the invitation">
      <Skeleton className="mb-3 h-5 w-3/4" />
      <Skeleton className="h-10 w-full" />
    </LoadingArea>
  );
}

function Useless({ message }: { readonly message: string }) {
  return (
    <div className="flex flex-col gap-4">
      <FormError>{message}</FormError>
      <p className="text-sm text-muted">
        Ask the person who invited you for a new link. If you have joined already, just sign in.
      </p>
      <a href={paths.overview()} className={buttonClass({ variant: 'primary' }, 'h-10 w-full')}>
        Open the console
      </a>
    </div>
  );
}

function Opened({
  invitation,
  token,
  email,
}: {
  readonly invitation: OpenedInvitationJson;
  readonly token: string;
  readonly email: string | undefined;
}) {
  const { organization, role } = invitation;
  const isForOther = email !== undefined && invitation.email !== null && invitation.email !== email;
  return (
    <div className="flex flex-col gap-5">
      <p className="text-base break-words">
        You are invited to join <strong className="font-semibold">{organization}</strong> as{' '}
        {roleName(role).toLowerCase()}
        {invitation.email !== null && (
          <>
            , with the address <strong className="font-semibold break-all">{invitation.email}</strong>
          </>
        )}
        .
      </p>
      {isForOther ? (
        <OtherAddress invited={invitation.email ?? ''} email={email} />
      ) : email === undefined ? (
        <SignedOut invitation={invitation} token={token} />
      ) : (
        <Accept organization={organization} token={token} email={email} />
      )}
    </div>
  );
}

function OtherAddress({ invited, email }: { readonly invited: string; readonly email: string }) {
  const { busy, error, run } = useAsyncAction('You could not be signed out. Try again.', 'stay-busy');
  return (
    <>
      <FormError>{error}</FormError>
      <p className="text-sm">
        You are signed in as <span className="break-all">{email}</span>. This invitation is for {invited}: sign out and
        open it with that address, or ask for an invitation to yours.
      </p>
      <Button
        variant="primary"
        busy={busy}
        className="h-10 w-full"
        onClick={() =>
          void run(async () => {
            await signOut();
            window.location.reload();
          })
        }
      >
        Sign out
      </Button>
    </>
  );
}

function Accept({
  organization,
  token,
  email,
}: {
  readonly organization: string;
  readonly token: string;
  readonly email: string;
}) {
  const { busy, error, run } = useAsyncAction('The invitation could not be accepted. Try again.', 'stay-busy');
  return (
    <>
      <FormError>{error}</FormError>
      <Button
        variant="primary"
        busy={busy}
        className="h-10 w-full"
        data-first
        onClick={() =>
          void run(async () => {
            const accepted = await send<AcceptedInvitationJson>('POST', apiPaths.acceptInvitation(), { token });
            forgetAndOpen(accepted);
          })
        }
      >
        Join {organization}
      </Button>
      <p className="text-sm text-muted">
        As <span className="break-all">{email}</span>. Your other organisations stay as they are.
      </p>
    </>
  );
}

function SignedOut({ invitation, token }: { readonly invitation: OpenedInvitationJson; readonly token: string }) {
  const [hasAccount, setHasAccount] = useState(invitation.account_exists);
  if (hasAccount)
    return (
      <>
        <a href={paths.signIn(paths.invitation())} className={buttonClass({ variant: 'primary' }, 'h-10 w-full')}>
          Sign in to accept
        </a>
        {!invitation.account_exists && (
          <Button variant="quiet" onClick={() => setHasAccount(false)}>
            Create an account instead
          </Button>
        )}
      </>
    );
  return (
    <>
      <InvitationSignUp email={invitation.email} token={token} onAccepted={forgetAndOpen} />
      <p className="text-sm text-muted">
        Do you have an account already?{' '}
        <button type="button" onClick={() => setHasAccount(true)} className="underline underline-offset-2">
          Sign in instead
        </button>
      </p>
    </>
  );
}

/** Opens the organisation, and drops the token, which is used up. */
function forgetAndOpen({ organization }: AcceptedInvitationJson): void {
  keepTabText(STORED, '');
  openOrganization(organization.id);
}
