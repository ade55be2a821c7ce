import { type Press, sentence, truthOf } from '../responding/index.ts';
import { ANSWERS, decideThere } from '../views/index.ts';
import type { Links } from '../web/index.ts';
import type { DecisionDeps } from './decisions.ts';

export type WebPressDeps = DecisionDeps & { readonly links?: Links | undefined };

/** Somebody wants to decide where Slack's account alone is not enough. They get a link of their own, and nobody else sees it. */
export async function onDecideOnWeb(
  { approvals, links, log }: WebPressDeps,
  { about: approval, by, say }: Press<'approval_on_web'>,
): Promise<void> {
  if (links === undefined) return say(sentence(ANSWERS.noWebPage));
  const considered = await approvals.consider(approval, by);
  log.info('A link was asked for', { approval, by: by.user, result: considered.type });
  if (considered.type !== 'open') return say(sentence(truthOf(considered)));
  const { digest } = considered.approval;
  const link = links.issue({ approval, user: by.user, team: by.team, digest });
  await say(sentence(decideThere(considered.approval, link)));
}
