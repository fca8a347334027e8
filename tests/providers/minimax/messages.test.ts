import { minimax } from '../../../lib/providers/minimax/index';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { messagesContract } from '../contract/messages';
import { compatibleErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'minimax',
  () => makeMessagesSubject(minimax, 'MINIMAX', () => startFakeCompatibleVendor({ path: '/anthropic/v1/messages' })),
  { has, errors: compatibleErrors },
);
