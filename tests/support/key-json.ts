import type { KeyJson } from '../../lib/contract/keys';

/** An API key as the API describes it: active, in test mode and without limits, but for these changes. */
export function keyJson(changes: Partial<KeyJson> = {}): KeyJson {
  return {
    id: 'key_1',
    object: 'api_key',
    name: 'Backend',
    mode: 'test',
    display: 'pb_test_••••aB3x',
    status: 'active',
    scopes: ['inference'],
    allowed_models: null,
    allowed_providers: null,
    allowed_regions: null,
    allowed_endpoints: null,
    allowed_addresses: null,
    max_price_per_request: null,
    max_price_per_minute: null,
    project: null,
    limit: null,
    limits: null,
    created_by: 'user_1',
    created_by_name: 'Ada',
    created_at: 0,
    last_used_at: 1,
    expires_at: null,
    rotated_from: null,
    ...changes,
  };
}
