import { given } from '../given.ts';
import { decideChoice, type Presser, type RunState } from '../journal/index.ts';
import { LIMITS } from '../limits.ts';
import type { ApprovalId, CardReceipt, Doubt, DoubtChoice } from '../records/index.ts';
import type { SafeWords } from '../secrets/index.ts';
import {
  type Answered,
  type Answering,
  type AnsweringDeps,
  type Asked,
  createAnswering,
  type Right,
} from './answering.ts';

/** Calls of which nobody knows whether they finished, as those who can say it see them. */
export interface Doubts extends Pick<Answering<Doubt, Choosing>, 'consider'> {
  readonly choose: (choosing: Choosing) => Promise<Answered<Doubt>>;
}

export interface Choosing {
  readonly doubt: ApprovalId;
  readonly choice: DoubtChoice;
  readonly by: Presser;
  /** The card that was pressed; it must be the one that was posted. */
  readonly card: CardReceipt;
  /** What came of it, in the person's words. */
  readonly said?: string;
}

export interface DoubtsDeps extends AnsweringDeps {
  /** The rule of the call itself, asked at the press with facts fetched then. */
  readonly mayChoose: (doubt: Doubt, about: { readonly by: Presser; readonly input: string }) => Promise<Right>;
  /** What the model is told, as an item of the run. */
  readonly chosen: (
    state: RunState,
    doubt: ApprovalId,
    what: { readonly choice: Exclude<DoubtChoice, 'retry'>; readonly said: string | undefined },
  ) => string;
  /** What people type is searched for secrets before it is written anywhere. */
  readonly safe: Pick<SafeWords, 'words'>;
}

export function createDoubts(deps: DoubtsDeps): Doubts {
  const { answer, consider } = createAnswering<Doubt, Choosing>(deps, {
    read: (question) => (question.kind === 'doubt' ? question.asks : undefined),
    right: async (asked, by) => deps.mayChoose(asked.asks, { by, input: await whatBegan(asked) }),
    problem: async () => undefined,
    decide: async (asked, choosing, right) => {
      const said = await safely(deps.safe, asked, choosing.said);
      return (state) => decideAndTell(state, { choosing, right, said }, deps.chosen);
    },
  });
  return { consider, choose: (choosing) => answer(choosing.doubt, choosing) };
}

/** With every secret in it: rules are about that, whether people were asked about the call or not. */
async function whatBegan({ journal, asks: { id, approval, input: shown } }: Asked<Doubt>): Promise<string> {
  if (approval === undefined) return (await journal.requestOf(id)) ?? shown;
  const input = await journal.inputOf(approval);
  return input?.edited ?? input?.asked ?? shown;
}

async function safely(
  safe: DoubtsDeps['safe'],
  asked: Asked<Doubt>,
  said: string | undefined,
): Promise<string | undefined> {
  if (said === undefined) return undefined;
  return safe.words({ tool: asked.asks.tool, input: await whatBegan(asked) }, said).slice(0, LIMITS.reasonChars);
}

interface Chosen {
  readonly choosing: Choosing;
  readonly right: Right;
  readonly said: string | undefined;
}

/** Decides about the choice, with the item that tells the model, unless the call is tried again. */
function decideAndTell(state: RunState, { choosing, right, said }: Chosen, tell: DoubtsDeps['chosen']) {
  const { doubt, choice, card, by } = choosing;
  const press = { doubt, choice, card, by: by.user, right, ...given({ said }) };
  const decided = decideChoice(state, { ...press, refusedKept: LIMITS.refusedPressesKept });
  const told = decided.result === 'recorded' && choice !== 'retry';
  return { ...decided, items: told ? [tell(state, doubt, { choice, said })] : [] };
}
