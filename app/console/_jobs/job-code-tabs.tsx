'use client';

import type { CodeRequest } from '../_code/code-request';
import { codeSamples } from '../_code/code-samples';
import { CodeTabs } from '../_code/code-tabs';

export function JobCodeTabs({ request }: { readonly request: CodeRequest }) {
  return <CodeTabs label="Request as code" samples={codeSamples(request)} mode={request.mode} />;
}
