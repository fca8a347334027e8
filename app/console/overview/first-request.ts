import type { Mode } from '../../../lib/domain/video';
import type { CodeRequest } from '../components/code/code-request';
import { pythonSample } from '../components/code/python-sample';
import { typescriptSample } from '../components/code/typescript-sample';
import { firstBody } from './first-body';

export interface Snippet {
  readonly language: string;
  readonly title: string;
  /** Ready to paste into a terminal. */
  readonly code: string;
}

/**
 * Returns snippets that set the key, write the program and run it, each in one paste. `key` is complete only right
 * after it was created.
 */
export function firstSnippets(baseUrl: string, mode: Mode, key: string | undefined): readonly Snippet[] {
  const request: CodeRequest = { baseUrl, method: 'POST', path: '/v1/videos', body: firstBody, mode };
  const setKey = `export PATCHBAY_API_KEY=${key ?? `pb_${mode}_…`}`;
  const shown: Snippet[] = [{ language: 'curl', title: 'curl', code: `${setKey}\n\n${curl(baseUrl)}` }];
  for (const { language, title, file, run, code } of [typescriptSample(request), pythonSample(request)]) {
    shown.push({ language, title, code: `${setKey}\n\ncat > ${file} <<'END'\n${code}\nEND\n${run}` });
  }
  return shown;
}

/** Neither polls nor downloads the video, because the page does both. */
function curl(baseUrl: string): string {
  const fields = Object.entries(firstBody).map(
    ([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return [
    `curl -sS ${baseUrl}/v1/videos \\`,
    '  -H "Authorization: Bearer $PATCHBAY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    "  -d '{",
    fields.join(',\n'),
    "  }'",
  ].join('\n');
}
