import type { ReactNode } from 'react';
import { Toaster } from 'sonner';
import { TooltipProvider } from './_ui/tooltip';

export default function ConsoleLayout({ children }: { readonly children: ReactNode }) {
  return (
    <TooltipProvider delayDuration={250}>
      {children}
      <Toaster
        position="bottom-right"
        toastOptions={{
          unstyled: true,
          classNames: {
            toast: 'flex w-full items-center gap-2.5 rounded-xl bg-raised px-4 py-3 text-sm text-ink shadow-(--floating)',
            description: 'text-muted',
          },
        }}
      />
    </TooltipProvider>
  );
}
