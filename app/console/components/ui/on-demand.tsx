'use client';

import { useEffect, useRef, useState, type ComponentType } from 'react';
import { Button } from './button';
import { explainFailedLoad } from './failed-load';
import { RetryNotice } from './retry-notice';

// Dialogs whose script loads when they are first opened. `dynamic` of Next would replace the whole page with the error page
// if the script cannot load, and fail again at once for as long as the URL keeps the dialog open.

/** The dialog that `load` resolves to. If its script cannot load, the page stays and offers to try again. */
export function onDemand<Props extends { onClose(): void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return function OnDemand(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props>>();
    const [failure, setFailure] = useState<string>();
    const [attempts, setAttempts] = useState(1);

    useEffect(() => {
      let isCurrent = true;
      const attempt = async () => {
        try {
          const loaded = await load();
          if (isCurrent) setLoaded(() => loaded);
        } catch {
          const { message, outdated } = await explainFailedLoad();
          if (!isCurrent) return;
          if (outdated && attempts > 1) window.location.reload();
          else setFailure(message);
        }
      };
      void attempt();
      return () => {
        isCurrent = false;
      };
    }, [attempts]);

    if (Loaded) return <Loaded {...props} />;
    if (failure === undefined) return null;
    return (
      <LoadFailure
        message={failure}
        onRetry={() => {
          setFailure(undefined);
          setAttempts(attempts + 1);
        }}
        onClose={() => props.onClose()}
      />
    );
  };
}

/** In place of the dialog, but not modal: the script of a modal could be what is missing. */
function LoadFailure({ message, onRetry, onClose }: { readonly message: string; onRetry(): void; onClose(): void }) {
  const retry = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    retry.current?.focus();
    // The dialog that opens next returns the focus to where it is now.
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <RetryNotice
      className="pointer-events-auto fixed inset-x-4 bottom-4 z-50 mx-auto max-w-xl bg-raised shadow-(--floating)"
      retryRef={retry}
      onRetry={onRetry}
      actions={
        <Button size="small" variant="quiet" onClick={onClose}>
          Dismiss
        </Button>
      }
    >
      {message}
    </RetryNotice>
  );
}
