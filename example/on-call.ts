import { z } from 'zod';
import type { FindApprovers } from '../app/index.ts';

/** What an imagined rota answers to `GET /teams/database/on-call`. Most rotas know e-mail addresses; this one knows Slack ids. */
const OnCall = z.object({ people: z.array(z.object({ slackId: z.string() })) });

/**
 * Names the people who are on call for a team as the approvers of a call. Every failure is thrown: the bot then lets no person
 * approve, says so in the thread, and asks the rota again at the next call or press.
 */
export function onCallFor(team: string, rotaUrl: string): FindApprovers {
  return async (_call, { signal }) => {
    const answer = await fetch(`${rotaUrl}/teams/${encodeURIComponent(team)}/on-call`, { signal });
    if (!answer.ok) throw new Error(`The rota answered ${answer.status}.`);
    return OnCall.parse(await answer.json()).people.map(({ slackId }) => slackId);
  };
}
