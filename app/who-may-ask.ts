import type { People } from './authority/index.ts';
import { LIMITS } from './limits.ts';
import type { InboxMessage } from './records/index.ts';

/** Who may begin or join a run: full members, guests too, or `anybody`, which includes people of other organisations and bots. */
export const WHO_MAY_ASK = ['members', 'guests', 'anybody'] as const;
export type WhoMayAsk = (typeof WHO_MAY_ASK)[number];

export interface Asker {
  /** May the author of this message, or the person who presses, ask? `unknown` when Slack does not say. */
  readonly may: (by: Pick<InboxMessage, 'thread' | 'user'>, how: 'message' | 'press') => Promise<AskRight>;
  /** Are messages of other bots read if they mention this bot? */
  readonly bots: boolean;
}

/** `silent`: no, and no person would read the reason. */
export type AskRight = 'yes' | 'no' | 'silent' | 'unknown';

export function createAsker(people: Pick<People, 'account'>, who: WhoMayAsk): Asker {
  return {
    bots: who === 'anybody',
    may: async ({ thread: { team, workspace }, user }, how) => {
      const lookUp = { oldMs: LIMITS.askerKeptMs, isForMessage: how === 'message' };
      switch (await people.account({ user, team, workspace }, lookUp)) {
        case 'person':
          return 'yes';
        case 'guest':
          return who === 'members' ? 'no' : 'yes';
        case 'outsider':
          return who === 'anybody' ? 'yes' : 'no';
        case 'bot':
          return who === 'anybody' ? 'yes' : 'silent';
        case 'deactivated':
          return 'silent';
        case 'missing':
        case 'unknown':
          return 'unknown';
      }
    },
  };
}
