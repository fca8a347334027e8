'use client';

import { Component, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { explainFailedLoad, type FailedLoad } from './failed-load';
import { RetryNotice } from './retry-notice';

// Parts of a page whose script loads when they are first shown. Without this, the error page would replace the whole
// page if the script cannot load.

/**
 * Returns a component for the part that `create` makes with Next's `dynamic`. Only this part suspends, and it shows
 * `pending` until it has loaded. If its script cannot load, an error in its place offers to try again.
 */
export function partOnDemand<Props extends object>(
  create: () => ComponentType<Props>,
  pending: (props: Props) => ReactNode = () => null,
): ComponentType<Props> {
  const First = create();
  return function PartOnDemand(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props>>(() => First);
    const [attempts, setAttempts] = useState(1);
    return (
      <LoadBoundary
        key={attempts}
        fallback={
          <>
            {pending(props)}
            <LoadFailure
              reloads={attempts > 1}
              onRetry={() => {
                // React keeps the failure of a lazy component forever, so a retry needs a new component.
                setPart(create);
                setAttempts(attempts + 1);
              }}
            />
          </>
        }
      >
        <Suspense fallback={pending(props)}>
          <Part {...props} />
        </Suspense>
      </LoadBoundary>
    );
  };
}

/** Catches the failure to load a script. Rethrows all other errors to the page. */
class LoadBoundary extends Component<
  { readonly fallback: ReactNode; readonly children: ReactNode },
  { readonly error: unknown }
> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    // The name that the loaders of Turbopack and webpack give this error.
    if (error instanceof Error && error.name === 'ChunkLoadError') return this.props.fallback;
    throw error;
  }
}

function LoadFailure({ reloads, onRetry }: { readonly reloads: boolean; onRetry(): void }) {
  const [failure, setFailure] = useState<FailedLoad>();
  useEffect(() => {
    let isCurrent = true;
    void explainFailedLoad().then((explained) => {
      if (!isCurrent) return;
      if (explained.outdated && reloads) window.location.reload();
      else setFailure(explained);
    });
    return () => {
      isCurrent = false;
    };
  }, [reloads]);
  if (!failure) return null;
  return (
    <RetryNotice className="bg-warn/8" onRetry={onRetry}>
      {failure.message}
    </RetryNotice>
  );
}
