import {
  type AfterToolCallEvent,
  type AskExtras,
  type BeforeToolCallEvent,
  type Confirm,
  canonicalCall,
  type Deny,
  deny,
  type Handler,
  HumanInTheLoop,
  type Proceed,
  proceed,
  type Timers,
  type ToolUseBlock,
  type Transform,
  transform,
} from '../../../interventions/index.ts';
import type { Authority, Judgement, People, RunCaps, TrustAtWork } from '../../authority/index.ts';
import { approvalOf, callNow, decideCancel, isRetry, type RunState } from '../../journal/index.ts';
import { LIMITS } from '../../limits.ts';
import type { Cards } from '../../questions/index.ts';
import type { RunJournal } from '../../recorder/index.ts';
import { withLimit } from '../../time/index.ts';
import { betweenReadings, type Tool, type ToolTable } from '../../tools/index.ts';
import type { CallAnswer, CallQuestion } from '../asking/asking.ts';
import type { Posts } from '../telling/posts.ts';
import { WORDS } from '../telling/words.ts';
import { type DeniedBeforeDeps, deniedBefore } from './denied-before.ts';
import { digestText, grantedCall, wasToldOfSetBack } from './granted-call.ts';
import { known } from './known.ts';
import { hasUnknownEnd, whoDecides } from './who-decides.ts';

type Ask = (prompt: string, extras: AskExtras) => unknown;

export interface GateDeps {
  readonly journal: RunJournal;
  readonly tools: ToolTable;
  readonly cards: Pick<Cards, 'settle'>;
  readonly trust: Pick<TrustAtWork, 'find'>;
  readonly authority: Pick<Authority, 'judge' | 'policyOf' | 'ruleNow'>;
  readonly people: People;
  readonly timers: Timers;
  readonly caps: RunCaps;
  readonly denied: DeniedBeforeDeps;
  /** Stops the run and takes its open questions back. Returns the error that ends its loop. */
  readonly capReached: (words: string) => Promise<Error>;
  readonly ask: (question: CallQuestion) => Promise<CallAnswer>;
  /** Records each ask in the trace. */
  readonly traced: (ask: Ask) => Ask;
  readonly posts: Pick<Posts, 'mention'>;
}

/** The interventions of every run, in order: the rules, a check for approvers, asking people, naming an earlier attempt. */
export function createGate(deps: GateDeps): readonly Handler[] {
  return [rulesOfTheDeployment(deps), approverExists(deps), humanInTheLoop(deps), earlierAttempt(deps)];
}

interface Judged {
  readonly state: RunState;
  readonly key: string;
  readonly tool: Tool;
  readonly judgement: Judgement;
}

/** What the rules say of this call now. `undefined` when there is no such tool: the loop then fails the call. */
function judged({ journal, tools, authority }: GateDeps, { name, input, toolUseId }: CallNow): Judged | undefined {
  const state = known(journal);
  const tool = tools.find(name);
  if (tool === undefined) return undefined;
  const { thread, requester } = state;
  const judgement = authority.judge({ tool, input, thread, requester });
  return { state, tool, judgement, key: callNow(state, toolUseId) };
}

type CallNow = Pick<ToolUseBlock, 'name' | 'input' | 'toolUseId'>;

const callOf = (event: BeforeToolCallEvent): CallNow => ({
  ...event.effective(),
  toolUseId: event.toolUse.toolUseId,
});

/** Denies what a rule denies, so that people are not asked. Also writes what rules on trial would do. */
function rulesOfTheDeployment(deps: GateDeps): Handler {
  return {
    name: 'countersign:rules',
    gate: true,
    beforeToolCall: async (event: BeforeToolCallEvent): Promise<Proceed | Deny> => {
      await betweenReadings(event.effective().input);
      const call = judged(deps, callOf(event));
      if (call === undefined) return proceed();
      const { effect, ruledBy, shadows } = call.judgement;
      const denies = effect === 'denied' ? [{ rule: ruledBy?.name ?? '', would: 'deny' as const, shadow: false }] : [];
      const onTrial = shadows.map(({ name, would }) => ({ rule: name, would, shadow: true }));
      await write(deps.journal, call, event, [...denies, ...onTrial]);
      if (effect !== 'denied') return proceed();
      const because = ruledBy?.because === undefined ? '' : ` The reason: ${ruledBy.because}`;
      await takeBack(deps, call, `The rule “${ruledBy?.name ?? ''}” does not allow this call any more.`);
      return deny(
        `The rule ${JSON.stringify(ruledBy?.name ?? '')} of this deployment does not allow this call of ${call.tool.name}, and no person can approve it.${because}`,
      );
    },
  };
}

/** Takes a question back when the rules changed while it was open: an answer to it would do nothing. */
async function takeBack({ journal, cards }: GateDeps, { state, key }: Judged, cause: string): Promise<void> {
  const asked = approvalOf(state, key);
  if (asked?.standing.status !== 'pending') return;
  await journal.decide((now) => decideCancel(now, asked.id, cause), 'settled');
  await cards.settle(journal);
}

interface AppliedRule {
  readonly rule: string;
  readonly would: 'deny' | 'guard' | 'ask' | 'allow';
  readonly shadow: boolean;
}

async function write(
  journal: RunJournal,
  { key, tool }: Judged,
  event: BeforeToolCallEvent,
  rules: readonly AppliedRule[],
): Promise<void> {
  await journal.commit((state) => ({
    entries: rules
      .filter(({ rule }) => state?.judged.has(`${key} ${rule}`) === false)
      .map((applied) => ({
        type: 'call-judged' as const,
        call: key,
        tool: tool.name,
        digest: digestText(canonicalCall(event.effective())),
        ...applied,
      })),
    result: undefined,
  }));
}

/** Denies a call that no person may approve. Its question would only wait until it expires. */
function approverExists(deps: GateDeps): Handler {
  return {
    name: 'countersign:somebody-to-ask',
    gate: true,
    beforeToolCall: async (event: BeforeToolCallEvent): Promise<Proceed | Deny> => {
      const call = judged(deps, callOf(event));
      if (call === undefined) return proceed();
      const { tool, key, state, judgement } = call;
      if (judgement.effect === 'open' || judgement.effect === 'denied') return proceed();
      const { effect } = judgement;
      const { input } = event.effective();
      if (tool.changed === true)
        void deps.posts.mention(`changed/${tool.name}`, { text: WORDS.changedTool(tool.name, tool.origin) });
      const found = await whoDecides(deps, state, { key, tool, input, judged: judgement, effect });
      if ('rule' in found) return proceed();
      await takeBack(deps, call, found.onCard);
      void deps.posts.mention(`nobody/${key}`, { text: found.toThread });
      return deny(found.toModel);
    },
  };
}

function humanInTheLoop(deps: GateDeps): Handler {
  const { trust, authority, ask, traced, timers } = deps;
  const human = new HumanInTheLoop({
    askTimeoutMs: null,
    // The bot draws its own cards. The library's question would only read the whole input once more.
    redact: () => '',
    ask: traced((_prompt, { toolUse, digest, signal }) => ask({ toolUse, digest, signal })),
    isTrusted: async (toolUse, { digest }) => {
      const { input } = toolUse;
      await betweenReadings(input);
      const call = judged(deps, toolUse);
      // People were already asked about this call. A trust given since then covers later calls only.
      if (call === undefined || approvalOf(call.state, call.key) !== undefined) return false;
      const { state, key, tool, judgement } = call;
      if (hasUnknownEnd(state, key)) return true;
      if (wasToldOfSetBack(state)) return false;
      if (judgement.effect !== 'asked') return false;
      const granted = grantedCall(authority, state, { key, tool, input, digest });
      // Without an answer of Slack about the giver, people are asked.
      const found = await withLimit(trust.find(granted), { ms: LIMITS.lookUpMs, late: undefined, timers });
      return found !== undefined;
    },
  });
  return {
    name: human.name,
    gate: true,
    onError: human.onError,
    // Whether a call is open depends on its input, so a list of tool names cannot let it through.
    beforeToolCall: async (event: BeforeToolCallEvent) => {
      const call = judged(deps, callOf(event));
      if (call === undefined) return human.beforeToolCall(event);
      const isNew = approvalOf(call.state, call.key) === undefined;
      const isOpen = call.judgement.effect === 'open' && isNew;
      const action = isOpen ? proceed({ reason: 'open' }) : await human.beforeToolCall(event);
      return action.type === 'deny' ? action : withinLimits(deps, call, action, { event, isNew });
    },
  };
}

/** Tells the model of the earlier attempt where a retry did not run. A retry that ran says so in its own result. */
function earlierAttempt({ journal }: GateDeps): Handler {
  return {
    name: 'countersign:earlier-attempt',
    afterToolCall: ({ executed, toolUse }): Proceed | Transform<AfterToolCallEvent> => {
      const state = known(journal);
      if (executed || !isRetry(state, callNow(state, toolUse.toolUseId))) return proceed();
      return transform((event) => {
        const content = [...event.result.content, { type: 'text' as const, text: WORDS.earlierAttempt }];
        event.result = { ...event.result, content };
      });
    },
  };
}

/** Runs last, so a call that others deny uses up no cap. An open question is not checked a second time. */
async function withinLimits<Allowed extends Proceed | Confirm>(
  { caps, denied, capReached }: GateDeps,
  { state, key, tool }: Judged,
  action: Allowed,
  { event, isNew }: { readonly event: BeforeToolCallEvent; readonly isNew: boolean },
): Promise<Allowed | Deny> {
  const asks = action.type === 'confirm';
  if (asks && isNew) {
    const why = await deniedBefore(denied, state, { key, digest: digestText(canonicalCall(event.effective())) });
    if (why !== undefined) return deny(why);
  }
  const place = { key: `${state.run}/${key}`, tool: tool.name };
  const words = await caps.beforeCall(state, { ...place, asks });
  const reached = words ?? (asks && isNew ? await caps.take(state, { ...place, what: 'cards' }) : undefined);
  if (reached !== undefined) throw await capReached(reached);
  return action;
}
