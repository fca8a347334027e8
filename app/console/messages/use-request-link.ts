'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { hasRequest, readLink } from './share-link';

export interface RequestLink {
  /** Why a link could not be opened or created. */
  readonly problem: string | undefined;
  setProblem(problem: string | undefined): void;
}

/** Opens the request of a shared link, when the page loads and whenever such a link is pasted into the URL bar. */
export function useRequestLink(onOpen: (body: unknown) => void, initialProblem: string | undefined): RequestLink {
  const [problem, setProblem] = useState(initialProblem);
  const openRequest = useEffectEvent(onOpen);
  useEffect(() => {
    const open = () => {
      const { hash } = window.location;
      if (!hasRequest(hash)) return;
      // Removes the request from the URL: it is open now, and a reload would replace later changes with it.
      window.history.replaceState(null, '', window.location.pathname + window.location.search);
      readLink(hash)
        .then((body) => openRequest(body))
        .then(
          () => setProblem(undefined),
          (error: unknown) =>
            setProblem(error instanceof Error ? error.message : 'The request of this link cannot be read.'),
        );
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, []);
  return { problem, setProblem };
}
