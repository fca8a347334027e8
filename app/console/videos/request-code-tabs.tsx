'use client';

import type { CodeRequest } from '../components/code/code-request';
import { codeSamples } from '../components/code/code-samples';
import { CodeTabs } from '../components/code/code-tabs';

export function RequestCodeTabs({ request }: { readonly request: CodeRequest }) {
  return <CodeTabs label="Request as code" samples={codeSamples(request)} mode={request.mode} />;
}
