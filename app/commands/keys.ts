import { count } from '../log.ts';
import type { SecretBox } from '../secrets/index.ts';
import type { Rotation } from '../store/index.ts';
import { renewTokens } from '../workspaces/index.ts';
import { unknownCommand } from './options.ts';

export const USAGE = `Usage: npm run keys -- rotate

  rotate    Encrypts everything in the store with the newest key of DATA_KEY, also what was not encrypted before. Older keys can
            be dropped afterwards. With the embedded store no bot may run; with Redis give every bot the new key first.
`;

/** Returns a sentence if the arguments cannot be used. */
export function misread([command, ...rest]: readonly string[]): string | undefined {
  if (command !== 'rotate') return unknownCommand(command, USAGE);
  return rest.length === 0 ? undefined : `rotate takes no arguments: ${rest.join(' ')} is too much.`;
}

/** Runs `npm run keys -- rotate`. Interrupted and run again, it goes on. */
export async function rotateKeys(
  { store, rotate }: Pick<Rotation, 'store' | 'rotate'>,
  { box, write }: { readonly box: SecretBox; readonly write: (line: string) => void },
): Promise<void> {
  const tokens = await renewTokens(store, box);
  const { entries, items, messages } = await rotate();
  const counts = [
    count(entries, 'entry', 'entries'),
    count(items, 'item'),
    count(messages, 'waiting message'),
    count(tokens, 'token'),
  ];
  write(`Encrypted with the newest key: ${counts.join(', ')}.`);
  write('Everything in the store is under that key now. Older keys can be dropped from DATA_KEY.');
}
