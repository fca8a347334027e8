import type { CodeRequest, CodeSample } from './code-request';
import { printValue, pythonSyntax, quoted } from './print-value';

/** Returns the request as Python that uses only the standard library. */
export function pythonSample(request: CodeRequest): CodeSample {
  const file =
    request.path === '/v1/videos' ? 'video.py' : request.path === '/v1/messages' ? 'message.py' : 'request.py';
  return { language: 'python', title: 'Python', file, run: `python3 ${file}`, code: codeOf(request).join('\n') };
}

function codeOf(request: CodeRequest): string[] {
  const { path, method, body } = request;
  const isVideo = path === '/v1/videos' && method === 'POST';
  const more =
    body === undefined
      ? method === 'GET'
        ? ''
        : `, method=${quoted(method)}`
      : `, ${printValue(body, pythonSyntax, 0)}`;
  const call = `call(${quoted(path)}${more})`;
  const head = callFunction(request, isVideo);
  if (isVideo) return [...head, ...videoCode(call)];
  if (path === '/v1/messages' && body?.['stream'] === true)
    return [
      ...head,
      `for line in ${call}:`,
      '    if line.startswith(b"data: "):',
      '        event = json.loads(line[6:])',
      '        if event["type"] == "error":',
      '            raise SystemExit(event["error"]["message"])',
      '        print(event.get("delta", {}).get("text", ""), end="", flush=True)',
    ];
  if (path === '/v1/messages')
    return [
      ...head,
      `message = json.load(${call})`,
      'print("".join(block.get("text", "") for block in message["content"]))',
    ];
  return [...head, `print(json.load(${call}))`];
}

function callFunction({ baseUrl, method, body }: CodeRequest, waits: boolean): string[] {
  const takesMethod = body === undefined && method !== 'GET';
  return [
    'import json',
    'import os',
    ...(waits ? ['import time'] : []),
    'import urllib.error',
    'import urllib.request',
    '',
    `BASE_URL = ${quoted(baseUrl)}`,
    'HEADERS = {',
    '  "Authorization": "Bearer " + os.environ["PATCHBAY_API_KEY"],',
    '  "Content-Type": "application/json",',
    '}',
    '',
    '',
    `def call(path, body=None${takesMethod ? ', method=None' : ''}):`,
    '  data = None if body is None else json.dumps(body).encode()',
    `  request = urllib.request.Request(BASE_URL + path, data, HEADERS${takesMethod ? ', method=method' : ''})`,
    '  try:',
    '    return urllib.request.urlopen(request)',
    '  except urllib.error.HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
    '',
    '',
  ];
}

function videoCode(call: string): string[] {
  return [
    `video = json.load(${call})`,
    '',
    '# A video takes seconds in the sandbox, and a minute or more with most providers.',
    'while video["status"] in ("queued", "in_progress"):',
    '  time.sleep(2)',
    '  video = json.load(call("/v1/videos/" + video["id"]))',
    '  print(video["status"])',
    'if video["status"] == "failed":',
    '  raise SystemExit(video["error"]["message"])',
    '',
    'with open("video.mp4", "wb") as file:',
    '  file.write(call("/v1/videos/" + video["id"] + "/content").read())',
    'print("video.mp4")',
  ];
}
