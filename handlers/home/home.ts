import { type BotPayload, readHomeOpened } from '../payloads/index.ts';
import type { Arrival } from '../responding/index.ts';
import type { Homes } from './homes.ts';

export interface HomeAnswerDeps {
  readonly homes: Pick<Homes, 'show'>;
  readonly bot: () => BotPayload;
}

/** Draws the Home tab when a person opens it. The Messages tab needs no drawing. */
export async function onHomeOpened({ homes, bot }: HomeAnswerDeps, { body }: Arrival): Promise<void> {
  const { user, tab } = readHomeOpened(body);
  if (tab === 'home') await homes.show({ user, team: bot().team_id });
}
