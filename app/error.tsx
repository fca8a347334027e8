'use client';

import { PageError } from './console/components/shell/page-error';

type Props = { readonly error: Error & { readonly digest?: string }; reset(): void };

export default function ErrorPage({ error, reset }: Props) {
  return <PageError digest={error.digest} framed={false} reset={reset} />;
}
