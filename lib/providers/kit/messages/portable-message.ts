import type { MessagesBody } from '../../../domain/messages';
import { checkToolChoice } from './client-tools';
import { portableTurns, type PortableRules, type PortableTurn } from './portable-turns';

/** The turns of a message in a form that any provider accepts. Throws the refusal of a message that has none. */
export function portableMessage(body: MessagesBody, rules: PortableRules): PortableTurn[] {
  const turns = portableTurns(body.messages, rules);
  checkToolChoice(body);
  return turns;
}
