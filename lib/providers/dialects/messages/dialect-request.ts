import type { MessagesBinding, MessagesRequest } from '../../../domain/messages';
import type { MessageStreamDeps, WrittenRequest } from '../../kit/messages/message-stream';

/** A written request whose response is in our own dialect, so that nothing has to be translated. */
export type DialectRequest = Omit<WrittenRequest, 'translate'>;

export interface DialectRequestDeps extends Omit<MessageStreamDeps, 'write'> {
  write(request: MessagesRequest, binding: MessagesBinding, withoutThinking: boolean): DialectRequest;
}
