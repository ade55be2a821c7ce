import { readApprovalId, readPress } from '../payloads/index.ts';
import { type Answer, sentence, truthOf } from '../responding/index.ts';
import { ANSWERS, decideThere } from '../views/index.ts';
import type { Links } from '../web/index.ts';
import { answer, type DecisionDeps, misread } from './decisions.ts';

export type WebPressDeps = DecisionDeps & { readonly links?: Links | undefined };

/** Somebody wants to decide where Slack's account alone is not enough. They get a link of their own, and nobody else sees it. */
export function onDecideOnWeb(deps: WebPressDeps): Answer {
  return async (arrival) => {
    await arrival.ack();
    const press = readPress(arrival.body);
    if (press === undefined) return misread(deps, arrival);
    const id = readApprovalId(press.value);
    if (id === undefined) return answer(deps, arrival, press, sentence(ANSWERS.unknown));
    if (deps.links === undefined) return answer(deps, arrival, press, sentence(ANSWERS.noWebPage));
    const { by } = press;
    const considered = await deps.approvals.consider(id, by);
    deps.log.info('A link was asked for', { approval: id, by: by.user, result: considered.type });
    if (considered.type !== 'open') return answer(deps, arrival, press, sentence(truthOf(considered)));
    const { digest } = considered.approval;
    const link = deps.links.issue({ approval: id, user: by.user, team: by.team, digest });
    await answer(deps, arrival, press, sentence(decideThere(considered.approval, link)));
  };
}
