import {
  canonical,
  canonicalCall,
  type Json,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../../../interventions/index.ts';
import type { Authority } from '../../authority/index.ts';
import {
  approvalOf,
  approvedDigest,
  callNow,
  decideDoubt,
  mayRepeat,
  type RunState,
  settledQuestion,
} from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Cards, Waiting } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import type { ApprovalId, RunId, StoredDecisionRule } from '../../records/index.ts';
import { namesOf, type Redaction } from '../../secrets/index.ts';
import { definitionHash, type Tool, type ToolTable } from '../../tools/index.ts';
import { digestText } from '../gate/granted-call.ts';
import { LEFT, TakenOverError } from '../story/taken-over.ts';
import type { ToolLog } from '../telling/tool-log.ts';
import { type CardDeps, postQuestionCard } from './posting-cards.ts';

export interface DoubtingDeps extends CardDeps {
  readonly tools: ToolTable;
  readonly authority: Pick<Authority, 'judge'>;
  readonly redaction: Redaction;
  readonly cards: Cards;
  readonly waiting: Waiting;
  readonly newQuestionId: (run: RunId) => ApprovalId;
  readonly toolLog: ToolLog;
  readonly approvalLifetimeMs: number;
}

/** Whether people have to say what became of this call before it is evaluated like any other. */
export function isInDoubt(tools: ToolTable, state: RunState, key: string): boolean {
  const call = state.calls.get(key);
  if (call?.execution.type !== 'unknown') return false;
  const tool = tools.find(call.execution.tool);
  // A call that is safe to repeat passes the same gates again.
  return tool === undefined || !mayRepeat(call, { ...tool, definition: definitionHash(tool) });
}

/**
 * Asks people what became of a call, and waits until the journal has the answer. Asking again, after a restart or in
 * another process, finds the same card. Resolves to what the model is told, or to `undefined` when a person wants the
 * call tried again: the retry is a call of its own and needs its own approval.
 */
export async function askInDoubt(
  deps: DoubtingDeps,
  journal: RunJournal,
  toolUse: ToolUseBlock,
  signal: AbortSignal,
): Promise<ToolResultBlock | undefined> {
  const doubt = await ask(deps, journal, toolUse);
  if (doubt !== undefined) {
    const settled = deps.waiting.untilFound(journal, (state) => settledQuestion(state, doubt), signal);
    // The wait may be given up while the card is being posted. `await settled` below rejects with that.
    void Promise.allSettled([settled]);
    await postQuestionCard(deps, journal, doubt);
    await deps.step('doubt-waiting');
    await settled;
    await deps.cards.settleAnswered(journal, doubt);
  }
  return answerOf(journal, toolUse);
}

async function ask(deps: DoubtingDeps, journal: RunJournal, toolUse: ToolUseBlock): Promise<ApprovalId | undefined> {
  const id = deps.newQuestionId(journal.run);
  const committed = await journal.decide((state, nowMs) => {
    const call = callNow(state, toolUse.toolUseId);
    const { items, ...described } = describe(deps, state, call, toolUse);
    const decided = decideDoubt(state, { ...described, doubt: id, call, expiresAtMs: nowMs + deps.approvalLifetimeMs });
    return { ...decided, items: decided.entries.length > 0 ? items : [] };
  }, undefined);
  if (committed === 'late') throw new TakenOverError(LEFT);
  if (committed === undefined || committed.type !== 'asked') return undefined;
  if (committed.fresh) await deps.step('question-asked');
  return committed.doubt;
}

/** What people were shown when they approved the call, or what the model asked for if it ran unasked. No secrets. */
function describe(
  { tools, authority, redaction, toolLog }: DoubtingDeps,
  state: RunState,
  call: string,
  { name, input }: ToolUseBlock,
) {
  const approval = approvalOf(state, call);
  const tool = tools.find(name);
  if (approval !== undefined) {
    const { effect, rule, standing } = approval;
    const summary = (standing.status === 'decided' ? standing.decision.edit?.summary : undefined) ?? approval.summary;
    return { tool: approval.tool, summary, digest: approvedDigest(approval), effect, rule, items: [] };
  }
  const parsed = tool?.parse(input);
  const whole = parsed?.ok === true ? parsed.input : input;
  const { shown, hidden } = redaction.input(tool ?? { inputSchema: {} }, whole);
  const text = canonical(shown);
  const sentence = tool?.summarise(whole, toolLog.failed({ call, tool, input: whole }));
  const long = text.length > LIMITS.inlineInputChars;
  return {
    tool: name,
    summary: redaction.text(sentence ?? '', hidden),
    digest: digestText(canonicalCall({ name, input: whole })),
    ...whoChooses(authority, state, tool, whole),
    input: long ? { at: state.items } : { text },
    hides: namesOf(hidden),
    items: long ? [text] : [],
  };
}

/** Who may say what became of the call. A tool that is open, denied or gone has no approvers, so the requester does. */
function whoChooses(
  { judge }: DoubtingDeps['authority'],
  { thread, requester }: RunState,
  tool: Tool | undefined,
  input: Json,
): { readonly effect: 'asked' | 'guarded'; readonly rule: StoredDecisionRule } {
  const { effect, rule } = (tool && judge({ tool, input, thread, requester })) ?? {};
  if (rule !== undefined && (effect === 'asked' || effect === 'guarded')) return { effect, rule };
  return { effect: 'asked', rule: { approvers: [], selfApproval: true } };
}

async function answerOf(journal: RunJournal, { toolUseId }: ToolUseBlock): Promise<ToolResultBlock | undefined> {
  const state = journal.state();
  const item = state?.calls.get(callNow(state, toolUseId))?.answer;
  if (item === undefined) return undefined;
  const [text] = await journal.items(item);
  if (text === undefined)
    throw new Error(`Item ${item} of ${journal.run} is missing, so the store has lost data. Check its durability.`);
  // Only the bot's own appends write items, and this one answers a call.
  const result: ToolResultBlock = JSON.parse(text);
  return result;
}
