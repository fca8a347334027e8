import type { CodeRequest, CodeSample } from './code-request';
import { printShellJson } from './print-value';

// Linux limits one argument to 128 KiB, and an image as a data URL can be longer.
const MAX_ARGUMENT_CHARS = 100_000;
const KEY = '-H "Authorization: Bearer $PATCHBAY_API_KEY"';

/**
 * Returns the request as a shell script with curl; for a video it also polls and downloads. It needs only standard
 * tools.
 */
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

/** Returns the curl command of a request. `after` follows the last argument, for example a closing bracket. */
function curl({ baseUrl, method, path, body }: CodeRequest, after: string): string {
  // curl uses POST without being asked if there is a body.
  const asks = method === 'POST' && body === undefined ? '-X POST ' : '';
  // Unbuffered, so that events appear as they arrive.
  const streams = body?.['stream'] === true ? '-N ' : '';
  const head = `curl -sS --fail-with-body ${streams}${asks}${baseUrl}${path} \\\n  ${KEY}`;
  if (body === undefined) return head + after;
  const json = printShellJson(body, 1);
  // An apostrophe occurs only where a variable interrupts the quotes; the long form has no variables.
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
    '# A video takes seconds in the sandbox, and a minute or more with most providers.',
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
