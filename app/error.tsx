'use client';

import { PageFault } from './console/components/shell/page-fault';

type Props = { readonly error: Error & { readonly digest?: string }; reset(): void };

export default function ErrorPage({ error, reset }: Props) {
  return <PageFault digest={error.digest} framed={false} reset={reset} />;
}
