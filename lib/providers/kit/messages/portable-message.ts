import type { MessagesBody } from '../../../domain/messages';
import { checkToolChoice } from './client-tools';
import { portableTurns, type PortableRules, type PortableTurn } from './portable-turns';

/** Returns the turns of a message in a form that any provider accepts. Throws a refusal if there is no such form. */
export function portableMessage(body: MessagesBody, rules: PortableRules): PortableTurn[] {
  const turns = portableTurns(body.messages, rules);
  checkToolChoice(body);
  return turns;
}
