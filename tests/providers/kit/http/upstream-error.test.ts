import { describe, expect, it } from 'vitest';
import { cleanMessage, upstreamRefusal } from '../../../../lib/providers/kit/http/upstream-error';

const messageFor = (message: string) =>
  upstreamRefusal({ status: 400, message, code: 'invalid_request_error' }).message;

describe("an upstream's message about a refused request", () => {
  it.each([
    'prompt is too long: 205000 tokens > 200000 maximum',
    'messages.1.content.0: Input should be a valid dictionary',
    'messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01A09q90qw90lq917835lq9. Each must have a corresponding block.',
    'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001',
    "Input tag 'zzz' does not match any of the expected tags: 'bash_code_execution_tool_result', 'text_editor_code_execution_tool_result'",
    'tools.0.custom.input_schema.type: Field required',
    'Your image has 12.5 MB, which is more than 5.0 MB.',
  ])('reaches the caller unchanged: %s', (sentence) => expect(messageFor(sentence)).toBe(sentence));

  it.each([
    [
      'Invalid key sk-ant-api03-AbCdEf123456_x-y for organization org-9xK2mQ7.',
      ['sk-ant', 'AbCdEf123456', 'org-9xK2mQ7'],
    ],
    ['Organisation 8d3b1f6e-12ab-4cde-9f01-23456789abcd may not use it.', ['8d3b1f6e']],
    ['Request to https://gw.internal.vendor.example/v1?key=1 failed.', ['internal', 'key=1']],
    ['The host llm-7.prod.svc:8443 at 10.2.3.4:9000 refused it.', ['llm-7', '10.2.3.4', '8443']],
    ['Ask ops@vendor.example about project proj_Ab3dEf.', ['ops@', 'proj_Ab3dEf']],
    ['Authorization: Bearer abc.def failed for 4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c.', ['abc.def', '4f9a8b7c']],
    ['Model projects/acme-video/locations/eu/models/m has no quota.', ['acme-video']],
    ['The token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln was refused.', ['eyJ']],
  ])('is shown without our own data: %s', (sentence, secrets) => {
    const shown = messageFor(sentence);
    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(shown).toContain('[…]');
  });
});

describe('cleanMessage', () => {
  it('falls back to the other sentence for an empty message, and shortens a long one to 500 characters', () => {
    expect(cleanMessage('  ', 'Otherwise.')).toBe('Otherwise.');
    expect(cleanMessage('word '.repeat(300), '')).toHaveLength(500);
  });

  it('is one line that can be stored: without control characters and halves of surrogate pairs', () => {
    expect(cleanMessage('a\0b\r\n\u001b[0m c \ud800 d', '')).toBe('a b [0m c d');
    expect(cleanMessage('\0\0', 'Otherwise.')).toBe('Otherwise.');
    const cut = cleanMessage(`${'a'.repeat(498)}🎬🎬`, '');
    expect([cut.isWellFormed(), cut]).toEqual([true, `${'a'.repeat(498)}…`]);
  });
});
