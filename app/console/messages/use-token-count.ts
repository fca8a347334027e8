'use client';

import { useEffect, useState } from 'react';
import { PatchbayError } from '../../../lib/client/errors';
import type { TokenCountJson } from '../../../lib/contract/messages';
import type { Mode } from '../../../lib/domain/video';
import { openRequest } from '../console-api';
import { apiPaths } from '../api-paths';
import type { RequestBody } from './request';

const DEBOUNCE_MS = 400;

export interface TokenCount {
  readonly tokens: number;
  /** The count is an estimate of the gateway; otherwise the provider counted. */
  readonly isEstimate: boolean;
}

export type TokenCounting = { readonly count: TokenCount } | { readonly error: string } | undefined;

/**
 * Counts the input tokens of a request when typing pauses. Returns undefined without a request and before the first
 * count.
 */
export function useTokenCount(body: RequestBody | undefined, mode: Mode): TokenCounting {
  const [counted, setCounted] = useState<{ readonly of: string; readonly result: TokenCounting }>();
  const countedText = counted?.of;
  useEffect(() => {
    if (!body) return;
    const controller = new AbortController();
    const timer = window.setTimeout(() => {
      // Serialised after the pause, not at each keystroke, because images may have megabytes.
      const text = JSON.stringify({ ...body, stream: undefined });
      if (text === countedText) return;
      void count(text, mode, controller.signal).then((result) => {
        if (!controller.signal.aborted) setCounted({ of: text, result });
      });
    }, DEBOUNCE_MS);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [body, mode, countedText]);
  // Shows the previous count until the next one arrives, so that the line does not flicker while typing.
  return body && counted?.result;
}

async function count(body: string, mode: Mode, signal: AbortSignal): Promise<TokenCounting> {
  try {
    const response = await openRequest(apiPaths.countTokens(mode), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal,
    });
    const { input_tokens: tokens } = (await response.json()) as TokenCountJson; // Safe: the answer of this endpoint.
    return { count: { tokens, isEstimate: response.headers.get('x-token-count-source') === 'estimate' } };
  } catch (error) {
    return { error: error instanceof PatchbayError ? error.message : 'The tokens could not be counted.' };
  }
}
