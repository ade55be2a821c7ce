import { type Press, sentence, truthOf } from '../responding/index.ts';
import { ANSWERS, decideThere } from '../views/index.ts';
import type { Links } from '../web/index.ts';
import type { DecisionDeps } from './decisions.ts';

export type WebPressDeps = DecisionDeps & { readonly links?: Links | undefined };

/** Gives a person a link to the page for a second factor. Only this person sees the link. */
export async function onDecideOnWeb(
  { approvals, links, log }: WebPressDeps,
  { about: approval, by, say }: Press<'approval_on_web'>,
): Promise<void> {
  if (links === undefined) return say(sentence(ANSWERS.noWebPage));
  const considered = await approvals.consider(approval, by);
  log.info('A link was asked for', { approval, by: by.user, result: considered.type });
  if (considered.type !== 'open') return say(sentence(truthOf(considered, by.user)));
  const { digest } = considered.approval;
  const link = links.issue({ approval, user: by.user, team: by.team, digest });
  await say(sentence(decideThere(considered.approval, link)));
}
