'use client';

import { Code } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { CodeRequest } from '../components/code/code-request';
import { curlSample } from '../components/code/curl-sample';
import { Button } from '../components/ui/button';
import { CopyButton } from '../components/ui/copy-button';
import { partOnDemand } from '../components/ui/part-on-demand';

const RequestCodeTabs = partOnDemand(() =>
  dynamic(() => import('./request-code-tabs').then((module) => module.RequestCodeTabs)),
);

/** The request of a video as code: a button that copies curl, and the other languages on demand. */
export function RequestCode({ request }: { readonly request: CodeRequest }) {
  const [shown, setShown] = useState(false);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <CopyButton variant="secondary" size="small" visible text={curlSample(request).code} label="Copy as curl" />
        <Button size="small" aria-expanded={shown} onClick={() => setShown(!shown)}>
          <Code size={14} aria-hidden="true" /> {shown ? 'Hide the code' : 'Show the code'}
        </Button>
      </div>
      {hasGaps(request) && (
        <p className="mt-2 text-xs text-muted">Values marked with … are not stored here. Replace them with your own.</p>
      )}
      {shown && (
        <div className="mt-3.5">
          <RequestCodeTabs request={request} />
        </div>
      )}
    </>
  );
}

/** Whether the body contains notes in place of stored media; see lib/videos/submitted-body. */
function hasGaps({ body }: CodeRequest): boolean {
  return /,… \(|\?…"/.test(JSON.stringify(body));
}
