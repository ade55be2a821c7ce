import {
  type AskExtras,
  type BeforeToolCallEvent,
  type Deny,
  deny,
  type Handler,
  HumanInTheLoop,
  hasPossibleApprover,
  type Proceed,
  proceed,
} from '../../interventions/index.ts';
import type { GrantedCall } from '../journal/grants.ts';
import { approvalOf, callKey, type RunState } from '../journal/state.ts';
import { gateList, ruleOf } from '../policy.ts';
import type { RunJournal } from '../run-journal.ts';
import { definitionHash, type ToolTable } from '../tools/index.ts';
import type { TrustAtWork } from '../trust.ts';
import type { Answer, Question } from './asking.ts';

type Ask = (prompt: string, extras: AskExtras) => unknown;

export interface GateDeps {
  readonly journal: RunJournal;
  readonly tools: ToolTable;
  readonly trust: Pick<TrustAtWork, 'find'>;
  readonly ask: (question: Question) => Promise<Answer>;
  /** What may be said of an input outside of the call itself. */
  readonly redact: (tool: string, input: unknown) => unknown;
  /** Watches an ask from outside. */
  readonly traced: (ask: Ask) => Ask;
  /** A call that nobody can ever approve: the thread is told why. */
  readonly onNobody: (call: { readonly key: string; readonly tool: string }) => void;
}

/** The two interventions every run has: is there anybody to ask, and then: ask. */
export function createGate(deps: GateDeps): readonly Handler[] {
  return [somebodyToAsk(deps), humanInTheLoop(deps)];
}

/** A question that nobody can answer is not asked: it would wait until it expires, and nobody would know why. */
function somebodyToAsk({ journal, tools, onNobody }: GateDeps): Handler {
  return {
    name: 'countersign:somebody-to-ask',
    gate: true,
    beforeToolCall: (event: BeforeToolCallEvent): Proceed | Deny => {
      const state = known(journal);
      const { name } = event.effective();
      const tool = tools.find(name);
      if (tool === undefined || tool.effect === 'open') return proceed();
      const rule = ruleOf(tool);
      if (hasPossibleApprover({ effect: tool.effect, ...rule }, state.requester)) return proceed();
      onNobody({ key: callKey(state.turns, event.toolUse.toolUseId), tool: name });
      return deny(`Nobody is configured who may approve ${name}, so it cannot be used. Do not try it again.`);
    },
  };
}

function humanInTheLoop({ journal, tools, trust, ask, traced, redact }: GateDeps): Handler {
  return new HumanInTheLoop({
    allowedTools: gateList(tools),
    askTimeoutMs: null,
    redact,
    ask: traced((_prompt, { toolUse, digest, signal }) => ask({ toolUse, digest, signal })),
    isTrusted: async ({ name, toolUseId }, { digest }) => {
      const tool = tools.find(name);
      const state = known(journal);
      // People were asked about this very call: trust that came later is for later calls.
      if (tool === undefined || approvalOf(state, callKey(state.turns, toolUseId)) !== undefined) return false;
      const call = grantedCall(state, { tool: name, definition: definitionHash(tool), digest });
      return (await trust.find(call)) !== undefined;
    },
  });
}

export function grantedCall(
  { thread, requester }: RunState,
  call: Pick<GrantedCall, 'tool' | 'definition' | 'digest'>,
): GrantedCall {
  return { ...call, team: thread.team, thread, requester };
}

function known(journal: RunJournal): RunState {
  const state = journal.state();
  if (state === undefined) throw new Error('A gate belongs to a run, and this run has no journal.');
  return state;
}
