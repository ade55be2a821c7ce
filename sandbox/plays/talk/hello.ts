import type { Conversation } from '../../model/conversation.ts';

export const hello: Conversation = {
  example: 'hello',
  begins: (said) => /\b(hello|hi|hey)\b/i.test(said),
  play: () => 'Hello! Ask me to restart a service, or for its status.',
};
