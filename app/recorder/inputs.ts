import { canonical, type Message } from '../../interventions/index.ts';
import { given } from '../given.ts';
import { type RunState, textOf, toolUseIdOf } from '../journal/index.ts';
import type { ApprovalId } from '../records/index.ts';
import { lookUp, type ReadItems } from './texts.ts';

/** Inputs of calls with every secret in them: for running the call and for rules about it, never for display. */

export interface ApprovedInput {
  readonly asked: string;
  readonly edited?: string;
}

/** The input that was asked for, and the edited one that was approved in its place, if any. */
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

/** The input of a call whose outcome is unknown, as the model wrote it. */
export async function doubtedInput(
  state: RunState | undefined,
  doubt: ApprovalId,
  items: ReadItems,
): Promise<string | undefined> {
  const call = state?.questions.get(doubt)?.call;
  return state === undefined || call === undefined ? undefined : requested(state, call, items);
}

/** The input of a call, read from the model answer that requested it. */
async function requested(state: RunState, call: string, items: ReadItems): Promise<string | undefined> {
  const toolUseId = toolUseIdOf(state, call);
  const turn = Number(call.slice(0, call.indexOf('/')));
  const answer = state.said.find((said) => said.type === 'turn' && said.turn === turn);
  const [text] = answer === undefined ? [] : await items(answer.item);
  if (text === undefined) return undefined;
  const message: Message = JSON.parse(text);
  const request = message.content
    .filter((block) => block.type === 'toolUse')
    .find((one) => one.toolUseId === toolUseId);
  return request && canonical(request.input);
}
