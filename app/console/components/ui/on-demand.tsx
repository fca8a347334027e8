'use client';

import { useEffect, useRef, useState, type ComponentType } from 'react';
import { Button } from './button';
import { explainFailedLoad } from './failed-load';
import { RetryNotice } from './retry-notice';

// Dialogs whose script loads when they are first opened. `dynamic` of Next would replace the whole page with the error page
// if the script cannot load, and fail again at once for as long as the URL keeps the dialog open.

/**
 * Returns a component that loads the dialog of `load`. If its script cannot load, the page stays and offers to try
 * again.
 */
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

/** Shown instead of the dialog. It is not modal, because the missing script could be that of modal dialogs. */
function LoadFailure({ message, onRetry, onClose }: { readonly message: string; onRetry(): void; onClose(): void }) {
  const retry = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    retry.current?.focus();
    // Restores the focus, so that the dialog, once loaded, returns it to the right element.
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
