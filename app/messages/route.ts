import { toWeb } from '../../lib/http/to-web';

// For clients whose base URL was set without `/v1`.

export const dynamic = 'force-dynamic';
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toWeb('/v1/messages');
