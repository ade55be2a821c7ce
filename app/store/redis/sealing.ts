import { SEALING_KEY } from '../keys.ts';
import type { Store } from '../store.ts';
import type { Link } from './connection/link.ts';
import { numberIn, textIn } from './replies.ts';
import { run } from './script.ts';
import { REPLACE } from './scripts.ts';

/** The record of how the store is encrypted. */
export function sealing(link: Link): Pick<Store, 'sealing' | 'writeSealing'> {
  return {
    sealing: async () => {
      const reply = await link.command('get', SEALING_KEY);
      return reply === null ? undefined : textIn(reply);
    },
    writeSealing: async (text, before = '') => numberIn(await run(link, REPLACE, [SEALING_KEY], [text, before])) === 1,
  };
}
