import type { ReactNode } from 'react';
import { Notices } from './_ui/notices';

export default function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}
      <Notices />
    </>
  );
}
