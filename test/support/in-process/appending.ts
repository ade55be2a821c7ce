import type { Store } from '../../../app/store/index.ts';
import type { Tool } from '../../../app/tools/index.ts';
import { type Bot, inProcess, tool } from './index.ts';

export interface Appending {
  readonly bot: Bot;
  /** The kinds of entries of each append, oldest first. */
  readonly appends: readonly string[];
}

interface Changes {
  readonly shared?: boolean;
  readonly tools?: readonly Tool[];
}

/** A bot that can restart things. The store calls the first append that has a `late` entry late. */
export async function appending(changes: Changes = {}, late?: string): Promise<Appending> {
  const appends: string[] = [];
  let isLate = late !== undefined;
  const around = (store: Store): Store => ({
    ...store,
    append: async (request) => {
      const types = typesIn(request.entries);
      if (isLate && types.includes(`${late}`)) {
        isLate = false;
        return { type: 'late', nowMs: Date.now() };
      }
      const answer = await store.append(request);
      if (answer.type === 'ok') appends.push(types);
      return answer;
    },
  });
  return { appends, bot: await inProcess({ tools: [tool('restart')], around, ...changes }) };
}

const typesIn = (entries: readonly { readonly text: string }[]): string =>
  entries.map(({ text }) => JSON.parse(text).body.type).join(' ');

/** Another process goes on with what the first one left. */
export async function takesOver({ bot }: Appending): Promise<void> {
  await bot.restarts();
  for (let seconds = 0; seconds < 10; seconds += 1) await bot.passes(1_000);
}
