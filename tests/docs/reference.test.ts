import { describe, expect, it } from 'vitest';
import { closeCodes, refusalOf } from '../../lib/audio/session-errors';
import { allModels } from '../../lib/catalog/models';
import { errorRules, type ErrorCode } from '../../lib/domain/error-rules';
import { GatewayError } from '../../lib/domain/errors';
import { videoFailureCodes } from '../../lib/domain/video';
import { routeTable } from '../../lib/http/routes';
import { scenariosOf } from '../../lib/routing/test-mode';
import { videoParameters } from '../../lib/videos/video-parameters';
import { codeWords, docsText, sectionOf, tableRows } from './pages';

// Compares the pages of the API reference with the specification and the code.

describe('the reference names', () => {
  const fields: Readonly<Record<string, readonly string[]>> = {
    'docs/videos.md': [
      // Request.
      'model',
      'prompt',
      'seconds',
      'size',
      'width',
      'height',
      'fps',
      'seed',
      'image_url',
      'input_reference',
      'image_list',
      'webhook',
      'video_list',
      'video_url',
      'input_seconds',
      'file_id',
      // Model-specific parameters.
      'quality',
      'options',
      'thinking_type',
      'generate_audio',
      'sound',
      'keep_original_sound',
      'audio',
      'generate_audio_switch',
      'go_fast',
      'remove_watermark',
      'multi_clip',
      'generate_multi_clip_switch',
      'bgm',
      'num_videos',
      'basic',
      'high',
      'dop-lite',
      'dop-turbo',
      'dop-preview',
      'auto',
      'enabled',
      'disabled',
      // The video.
      'id',
      'object',
      'status',
      'progress',
      'usage',
      'provider_job_id',
      'format',
      'duration_seconds',
      'cost',
      'created_at',
      'completed_at',
      'error',
      'queued',
      'in_progress',
      'completed',
      'failed',
      'mp4',
      // Kinds.
      '-t2v',
      '-i2v',
      '-r2v',
      'reference-to-video',
      '-video-edit',
      '-start-end',
      '-transition',
      'Range',
      'If-Range',
      'limit',
      'order',
      'after',
    ],
    'docs/speech.md': [
      'configure',
      'model',
      'encoding',
      'pcm_s16le',
      'sample_rate',
      'language',
      'stop',
      'session_started',
      'session_id',
      'transcript',
      'text',
      'is_final',
      'words',
      'word',
      'start',
      'end',
      'done',
      'audio_duration_seconds',
      'session_duration_seconds',
      'error',
      'message',
      'code',
      'tts',
      'input',
      'voice',
      'output_format',
      'speed',
      'cancel',
      'audio',
      'data',
      'context_id',
      '?token=<API_KEY>',
    ],
    'docs/messages.md': [
      'model',
      'messages',
      'max_tokens',
      'system',
      'temperature',
      'top_p',
      'stop_sequences',
      'tools',
      'tool_choice',
      'stream',
      'cache_control',
      'id',
      'type',
      'role',
      'assistant',
      'content',
      'stop_reason',
      'usage',
      'input_tokens',
      'output_tokens',
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
      'error',
      'x-token-count-source',
    ],
    'docs/catalog.md': [
      'id',
      'name',
      'aliases',
      'created',
      'description',
      'family',
      'architecture',
      'input_modalities',
      'output_modalities',
      'tokenizer',
      'top_provider',
      'is_moderated',
      'providers',
      'pricing',
      'prompt',
      'completion',
      'image',
      'request',
      'input_cache_read',
      'input_cache_write',
      'web_search',
      'internal_reasoning',
      'context_length',
      'per_request_limits',
      'supported_parameters',
      'json_output',
      'structured_outputs',
      'free',
      'deprecated_at',
      'deactivated_at',
      'stability',
      'stable',
      'providerId',
      'modelName',
      'streaming',
      'vision',
      'cancellation',
      'tools',
      'parallelToolCalls',
      'reasoning',
      'reasoningLevels',
      'include_deactivated',
      'exclude_deprecated',
      'video_pricing',
      'pricing_tiers',
      'available',
      'kind',
      'type',
    ],
    'docs/webhooks.md': [
      'webhook',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'X-Patchbay-Event',
      'X-Patchbay-Attempt',
    ],
    'docs/api.md': [
      'skip',
      'redis',
      'database',
      'message',
      'version',
      'health',
      'status',
      'connected',
      'error',
      'Idempotency-Key',
      'Idempotent-Replayed',
      'X-Ignored-Params',
      'X-Test-Scenario',
      'available',
      'held',
      'spent',
      'x-api-key',
    ],
  };

  it.each(Object.entries(fields))('in %s every field', (name, expected) => {
    // In backticks or quotes, alone or within an expression: `{"type", "message"}`.
    const named = new Set(
      [...docsText(name).matchAll(/`[^`\n]+`|"[^"\n]+"/g)].flatMap(([text]) => text.split(/[`"{}[\],:;\s]+/)),
    );
    expect(expected.filter((word) => !named.has(word))).toEqual([]);
  });

  it('every route of the API', () => {
    const text = docsText('docs/api.md');
    // docs/management.md describes the console's API.
    const api = routeTable.endpoints.filter(({ pattern }) => !pattern.startsWith('/console/api/'));
    const routes = api.flatMap(({ routes: byMethod, pattern }) =>
      Object.keys(byMethod).map((method) => `\`${method} ${pattern.replace(/[:*](\w+)/g, '{$1}')}\``),
    );
    expect(routes.length).toBeGreaterThan(15);
    expect(routes.filter((route) => !text.includes(route))).toEqual([]);
  });

  it.each([
    ['videos', 'video'],
    ['messages', 'messages'],
    ['text-to-speech', 'tts'],
    ['speech-to-text', 'stt'],
  ] as const)('every scenario of test mode that has an effect on %s', (name, capability) => {
    const named = tableRows(sectionOf(docsText('docs/api.md'), 'Test mode')).flatMap(([words = '', on = '']) =>
      on === 'all' || on.split(', ').includes(name) ? codeWords(words) : [],
    );
    expect(named.toSorted()).toEqual(scenariosOf(capability).toSorted());
  });
});

describe('the parameters', () => {
  const rows = tableRows(sectionOf(docsText('docs/videos.md'), 'Model-specific parameters'));

  it('are those that the validator reads, and num_videos, which no model takes', () => {
    expect(rows.map(([name = '']) => codeWords(name)[0] ?? '').toSorted()).toEqual(
      [...Object.keys(videoParameters), 'seed', 'fps', 'num_videos'].toSorted(),
    );
  });

  it('have the types and defaults of the validator', () => {
    for (const [name = '', type, standard] of rows) {
      const parameter = videoParameters[codeWords(name)[0] ?? ''];
      if (!parameter) continue;
      expect([name, type]).toEqual([name, parameter.type === 'boolean' ? 'boolean' : 'string']);
      if ('standard' in parameter) expect([name, standard]).toEqual([name, `\`${String(parameter.standard)}\``]);
      else expect([name, standard]).toEqual([name, expect.stringMatching(/^(none|the provider's)$/)]);
    }
  });

  it('name the families with models that take them', () => {
    for (const [name = '', , , , families = ''] of rows) {
      const parameter = codeWords(name)[0] ?? '';
      const taking = allModels.flatMap((model) =>
        model.capability === 'video' && model.deactivatedAt === undefined && model.video.parameters.includes(parameter)
          ? [`\`${model.family}\``]
          : [],
      );
      expect([parameter, families]).toEqual([
        parameter,
        taking.length > 0 ? [...new Set(taking)].join(', ') : 'no model yet',
      ]);
    }
  });
});

describe('the errors', () => {
  it('are all codes, with their status, type and retry', () => {
    const rows = tableRows(sectionOf(docsText('docs/errors.md'), 'Codes')).map(
      ([status, code = '', type = '', retry]) => [codeWords(code)[0], status, codeWords(type)[0], retry],
    );
    expect(rows).toEqual(
      Object.entries(errorRules).map(([code, { status, type, retry }]) => [
        code,
        String(status),
        type,
        retry ? 'yes' : 'no',
      ]),
    );
  });

  it('of failed videos are all codes with which a video fails', () => {
    const rows = tableRows(sectionOf(docsText('docs/errors.md'), 'Failed videos'));
    expect(rows.flatMap(([codes = '']) => codeWords(codes)).toSorted()).toEqual(videoFailureCodes.toSorted());
  });

  it('of the sockets close with the codes in the code', () => {
    const rows = tableRows(sectionOf(docsText('docs/speech.md'), 'Errors and close codes'));
    const sample: readonly ErrorCode[] = [
      'invalid_json',
      'invalid_api_key',
      'insufficient_credits',
      'organization_suspended',
      'rate_limit_exceeded',
      'concurrency_limit_exceeded',
      'internal_error',
      'upstream_timeout',
      'overloaded',
    ];
    const chosen = sample.map((code) => refusalOf(new GatewayError(code, 'No.')));
    const described = rows
      .filter(([status]) => Number(status) < 1000)
      .map(([code, , closeCode]) => ({ code: Number(code), closeCode: Number(closeCode) }));
    expect(described).toEqual(chosen.map(({ code, closeCode }) => ({ code, closeCode })));
    expect(Object.values(closeCodes).filter((code) => !rows.some((cells) => cells.includes(String(code))))).toEqual([]);
  });
});
