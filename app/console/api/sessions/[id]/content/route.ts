import { toWeb } from '../../../../../../lib/http/to-web';

export const dynamic = 'force-dynamic';
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toWeb('/console/api/sessions/:id/content');
