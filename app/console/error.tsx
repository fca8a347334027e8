'use client';

import { PageError } from './components/shell/page-error';

type Props = { readonly error: Error & { readonly digest?: string }; reset(): void };

/** The error page of the console. Rendered inside the frame, so that the navigation stays available. */
export default function ConsoleErrorPage({ error, reset }: Props) {
  return (
    <PageError
      digest={error.digest}
      framed={typeof document !== 'undefined' && document.querySelector('main') !== null}
      reset={reset}
    />
  );
}
