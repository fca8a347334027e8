'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { hasRequest, readLink } from './share-link';

export interface RequestLink {
  /** Why a link could not be opened or made. */
  readonly problem: string | undefined;
  setProblem(problem: string | undefined): void;
}

/** Opens the request of a shared link: when the page is opened with it, and when it is pasted later. */
export function useRequestLink(onOpen: (body: unknown) => void, initialProblem: string | undefined): RequestLink {
  const [problem, setProblem] = useState(initialProblem);
  const openRequest = useEffectEvent(onOpen);
  useEffect(() => {
    const open = () => {
      const { hash } = window.location;
      if (!hasRequest(hash)) return;
      // The page has the request then; in the URL it would replace later changes at a reload.
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
