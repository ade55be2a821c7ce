import { canonical, type Message } from '../../interventions/index.ts';
import { given } from '../given.ts';
import { type RunState, textOf, toolUseIdOf } from '../journal/index.ts';
import type { ApprovalId } from '../records/index.ts';
import { lookUp, type ReadItems } from './texts.ts';

/** Inputs of calls with every secret in them: for what runs and for rules about it, never to be shown. */

export interface ApprovedInput {
  readonly asked: string;
  readonly edited?: string;
}

/** What was asked and what was approved in its place. */
export async function approvedInput(
  state: RunState | undefined,
  id: ApprovalId,
  items: ReadItems,
): Promise<ApprovedInput | undefined> {
  const asked = state?.approvals.get(id);
  if (asked === undefined) return undefined;
  const edit = asked.standing.status === 'decided' ? asked.standing.decision.edit : undefined;
  const item = await lookUp(items, [asked.input, edit?.input]);
  return {
    asked: textOf(asked.input, item),
    ...given({ edited: edit && textOf(edit.input, item) }),
  };
}

/** What the model asked for in a call that is in doubt. */
export async function doubtedInput(
  state: RunState | undefined,
  doubt: ApprovalId,
  items: ReadItems,
): Promise<string | undefined> {
  const call = state?.questions.get(doubt)?.call;
  return state === undefined || call === undefined ? undefined : requested(state, call, items);
}

/** The input of a call as the model wrote it, in the answer in which it asked for it. */
async function requested(state: RunState, call: string, items: ReadItems): Promise<string | undefined> {
  const toolUseId = toolUseIdOf(state, call);
  const turn = Number(call.slice(0, call.indexOf('/')));
  const said = state.said.find((one) => one.type === 'turn' && one.turn === turn);
  const [text] = said === undefined ? [] : await items(said.item);
  if (text === undefined) return undefined;
  const message: Message = JSON.parse(text);
  const request = message.content.find((block) => block.type === 'toolUse' && block.toolUseId === toolUseId);
  return request?.type === 'toolUse' ? canonical(request.input) : undefined;
}
