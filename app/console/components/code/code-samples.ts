import { aiSdkSample } from './ai-sdk-sample';
import type { CodeRequest, CodeSample } from './code-request';
import { curlSample } from './curl-sample';
import { pythonSample } from './python-sample';
import { anthropicSample, openaiSample } from './sdk-samples';
import { typescriptSample } from './typescript-sample';

/**
 * A request as code in every supported language, curl first. Each sample runs unchanged with the key in
 * PATCHBAY_API_KEY; no sample contains a secret.
 */
export function codeSamples(request: CodeRequest): readonly CodeSample[] {
  return [
    curlSample(request),
    typescriptSample(request),
    pythonSample(request),
    ...(request.path === '/v1/videos' && request.method === 'POST' ? [openaiSample(request)] : []),
    ...(request.path === '/v1/messages' && request.method === 'POST'
      ? [anthropicSample(request), aiSdkSample(request)]
      : []),
  ];
}
