import { play } from '../kit/play.ts';

export const hello = play({
  about: 'A first word.',
  example: 'hello',
  begins: /\b(hello|hi|hey)\b/i,
  says: () => 'Hello! Ask me to restart a service, or for its status.',
  next: 'Write “restart the payments service”.',
});
