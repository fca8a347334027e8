/** A first video by curl, against this installation; the key comes from the shell, so that it is in no history. */
export function videoSnippet(baseUrl: string): string {
  return [
    `curl ${baseUrl}/v1/videos \\`,
    '  -H "Authorization: Bearer $PATCHBAY_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    "  -d '{",
    '    "model": "sandbox-t2v",',
    '    "prompt": "A paper boat on a quiet lake",',
    '    "seconds": 5',
    "  }'",
  ].join('\n');
}
