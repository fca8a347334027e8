import type { ReactNode } from 'react';
import { Wordmark } from '../ui/logo';
import { PatchArt } from '../ui/patch-art';

/** Layout of the signed-out pages: a form on the left and, on wide screens, a patch bay drawing on the right. */
export function AuthLayout({
  title,
  description,
  children,
}: {
  readonly title: string;
  readonly description: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(26rem,5fr)_7fr]">
      <main className="flex flex-col px-6 py-6 sm:px-10">
        <Wordmark />
        <div className="mx-auto flex w-full max-w-88 flex-1 flex-col justify-center py-10">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
          <p className="mt-2 mb-7 text-base text-muted">{description}</p>
          {children}
        </div>
      </main>
      <div className="relative hidden overflow-hidden border-l border-line bg-sunken lg:block">
        <PatchArt />
      </div>
    </div>
  );
}
