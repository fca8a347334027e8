'use client';

import { Button, buttonClass } from './console/_ui/button';
import { StatusPage } from './console/_ui/status-page';
import { paths } from './console/paths';

/** `digest` is what the server's log calls the error; its text stays there. */
export default function ErrorPage({ error }: { readonly error: Error & { readonly digest?: string } }) {
  return (
    <StatusPage title="This page could not be shown" says="Something went wrong on our side. Your videos, keys and credits are not affected.">
      <Button look="primary" onClick={() => window.location.reload()}>
        Try again
      </Button>
      <a href={paths.overview()} className={buttonClass({})}>
        Go to the overview
      </a>
      {error.digest && <p className="w-full pt-2 text-xs text-muted">Reference for the operator: {error.digest}</p>}
    </StatusPage>
  );
}
