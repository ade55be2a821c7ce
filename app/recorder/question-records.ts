import { given } from '../given.ts';
import {
  type AskedApproval,
  type AskedDoubt,
  alsoSteeredBy,
  approvedAsShown,
  type RunState,
  rowsOf,
  textOf,
  toApproval,
  toQuestion,
} from '../journal/index.ts';
import type { Approval, ApprovalId, DoubtLookedUp, ListCard, QuestionRecord } from '../records/index.ts';
import { lookUp, type ReadItems } from './texts.ts';

/** Records of the questions in a run, with long inputs looked up. */

export async function findApproval(
  state: RunState | undefined,
  id: ApprovalId,
  items: ReadItems,
): Promise<Approval | undefined> {
  const asked = state?.approvals.get(id);
  return state === undefined || asked === undefined ? undefined : completeApproval(state, asked, items);
}

export async function findQuestion(
  state: RunState | undefined,
  id: ApprovalId,
  items: ReadItems,
): Promise<QuestionRecord | undefined> {
  const asked = state?.questions.get(id);
  if (state === undefined || asked === undefined) return undefined;
  return toQuestion(state, asked, asked.kind === 'doubt' ? await lookUpDoubt(state, asked, items) : {});
}

export async function findList(
  state: RunState | undefined,
  id: ApprovalId,
  items: ReadItems,
): Promise<ListCard | undefined> {
  const asked = state === undefined ? [] : rowsOf(state, id);
  if (state === undefined || asked.length === 0) return undefined;
  const { run, thread, requester } = state;
  const card = asked.find((row) => row.card !== undefined)?.card;
  return {
    id,
    run,
    thread,
    requester,
    rows: await Promise.all(asked.map((row) => completeApproval(state, row, items))),
    revision: Math.max(...asked.map(({ revision }) => revision)),
    ...given({ card }),
  };
}

/** A state never changes, so each record without long inputs is made once. A list asks for many of them again and again. */
const made = new WeakMap<RunState, Map<ApprovalId, Approval>>();

async function completeApproval(state: RunState, asked: AskedApproval, items: ReadItems): Promise<Approval> {
  const before = made.get(state)?.get(asked.id);
  if (before !== undefined) return before;
  const { shown, standing } = asked;
  const edit = standing.status === 'decided' ? standing.decision.edit : undefined;
  const texts = [shown, edit?.shown ?? edit?.input];
  const isShort = texts.every((ref) => ref === undefined || 'text' in ref);
  const approval = toApproval(state, asked, isShort ? () => undefined : await lookUp(items, texts));
  if (isShort) made.set(state, (made.get(state) ?? new Map()).set(asked.id, approval));
  return approval;
}

async function lookUpDoubt(state: RunState, asked: AskedDoubt, items: ReadItems): Promise<DoubtLookedUp> {
  const { approval, execution } = state.calls.get(asked.call) ?? {};
  const limitMs = execution?.type === 'unknown' ? execution.limitMs : undefined;
  const known = approval === undefined ? undefined : state.approvals.get(approval);
  const edit = known?.standing.status === 'decided' ? known.standing.decision.edit : undefined;
  const input = asked.input ?? (known === undefined ? { text: '' } : approvedAsShown(known));
  return {
    input: textOf(input, await lookUp(items, [input])),
    alsoSteeredBy: alsoSteeredBy(state, asked.call),
    // An edit that hides nothing names nothing hidden.
    hides: asked.hides ?? (edit ?? known)?.hides ?? [],
    ...given({ approval, limitMs, undeclared: edit === undefined ? known?.undeclared : undefined }),
  };
}
