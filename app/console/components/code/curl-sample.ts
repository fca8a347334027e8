import type { CodeRequest, CodeSample } from './code-request';
import { printShellJson } from './print-value';

// A shell takes one argument of at most 128 KiB, and a picture as a data URL is longer.
const MAX_ARGUMENT_CHARS = 100_000;
const KEY = '-H "Authorization: Bearer $PATCHBAY_API_KEY"';

/** The request by curl; for a video also the waiting and the download. Nothing but a shell and its usual tools is needed. */
export function curlSample(request: CodeRequest): CodeSample {
  const isVideo = request.path === '/v1/videos' && request.method === 'POST';
  const code = isVideo ? videoScript(request) : curl(request, '');
  return {
    language: 'curl',
    title: 'curl',
    file: isVideo ? 'video.sh' : 'request.sh',
    run: isVideo ? 'bash video.sh' : 'bash request.sh',
    code,
  };
}

/** `after`: what follows the last argument, such as the bracket that encloses the command. */
function curl({ baseUrl, method, path, body }: CodeRequest, after: string): string {
  // Given a body, curl posts by itself.
  const asks = method === 'POST' && body === undefined ? '-X POST ' : '';
  const head = `curl -sS --fail-with-body ${asks}${baseUrl}${path} \\\n  ${KEY}`;
  if (body === undefined) return head + after;
  const json = printShellJson(body, 1);
  // An apostrophe stands only where a variable steps out of the quotes, and in the longer form there are no variables.
  const isArgument = json.length <= MAX_ARGUMENT_CHARS || json.includes("'");
  const data = isArgument ? `-d '${json}'${after}` : `--data-binary @- <<'JSON'\n${json}\nJSON${after && `\n${after}`}`;
  return `${head} \\\n  -H "Content-Type: application/json" \\\n  ${data}`;
}

function videoScript(request: CodeRequest): string {
  const video = `${request.baseUrl}/v1/videos/$id`;
  return [
    `answer=$(${curl(request, ')')}`,
    `printf '%s\\n' "$answer"`,
    `id=$(printf '%s' "$answer" | grep -o '"id":"[^"]*"' | cut -d '"' -f 4)`,
    '',
    '# It takes seconds here, and with most providers a minute or more.',
    'status=queued',
    'while [ "$status" = queued ] || [ "$status" = in_progress ]; do',
    '  sleep 2',
    `  status=$(curl -sS "${video}" ${KEY} | grep -o '"status":"[a-z_]*"' | cut -d '"' -f 4)`,
    '  echo "$status"',
    'done',
    '',
    `curl -sS --fail -o video.mp4 "${video}/content" ${KEY} && echo "video.mp4"`,
  ].join('\n');
}
