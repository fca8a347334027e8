'use client';

import { PageError } from './components/shell/page-error';

type Props = { readonly error: Error & { readonly digest?: string }; reset(): void };

/** Inside the frame, so that the other pages stay one click away. */
export default function ConsoleErrorPage({ error, reset }: Props) {
  return (
    <PageError
      digest={error.digest}
      framed={typeof document !== 'undefined' && document.querySelector('main') !== null}
      reset={reset}
    />
  );
}
