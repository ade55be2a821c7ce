import { call } from '../../model/answer.ts';
import { play, whileThere } from '../kit/play.ts';

export const restart = play({
  about: 'The agent asks before it restarts a service.',
  example: 'restart the payments service',
  begins: /\brestart\b/i,
  scene: (said) => {
    const service = /restart (?:the )?([\w-]+)/i.exec(said)?.[1]?.toLowerCase() ?? 'payments';
    return { opening: `I will restart the ${service} service.`, calls: [call('restart_service', { service })] };
  },
  next: 'Press Trust and ask again in this thread: the second restart does not ask. Or choose “Edit input…” from the menu.',
  isNext: whileThere('Trust'),
});
