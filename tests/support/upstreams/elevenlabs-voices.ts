import type { RecordedRequest } from './upstream';
import { goodKey } from './upstream';

export const elevenVoices = [
  { voice_id: '21m00Tcm4TlvDq8ikWAM', name: 'Rachel' },
  { voice_id: 'AZnzlk1XvdvUeBnXmlld', name: 'Domi - Strong' },
];

export function answerVoices({ url, headers }: RecordedRequest) {
  if (headers['xi-api-key'] !== goodKey) return { status: 401, body: { detail: { status: 'invalid_api_key' } } };
  if (url.pathname !== '/v2/voices') return undefined;
  const search = url.searchParams.get('search')?.toLowerCase() ?? '';
  return {
    status: 200,
    body: {
      voices: elevenVoices.filter(({ name }) => name.toLowerCase().includes(search)),
      has_more: false,
      total_count: 1,
      next_page_token: null,
    },
  };
}
