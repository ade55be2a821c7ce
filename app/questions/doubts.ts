import { given } from '../given.ts';
import { decideChoice, type RunState } from '../journal/index.ts';
import { LIMITS, upTo } from '../limits.ts';
import type { ApprovalId, Doubt, DoubtChoice, Person } from '../records/index.ts';
import type { SafeWords } from '../secrets/index.ts';
import type { FoundQuestion, OwnWay, RightToAnswer } from './answering.ts';

/** Questions about calls with an unknown outcome. */

export interface DoubtsDeps {
  /** The rule of the call itself, judged at the press with facts fetched then. */
  readonly mayChoose: (doubt: Doubt, about: { readonly by: Person; readonly input: string }) => Promise<RightToAnswer>;
  /** What the model is told, as an item of the run. */
  readonly chosen: (
    state: RunState,
    doubt: ApprovalId,
    what: { readonly choice: Exclude<DoubtChoice, 'retry'>; readonly said: string | undefined },
  ) => string;
  /** Removes secrets from what people type, before it is written anywhere. */
  readonly safe: Pick<SafeWords, 'words'>;
}

export function wayOfDoubts({ mayChoose, chosen, safe }: DoubtsDeps): OwnWay<'doubt'> {
  return {
    right: async (asked, by) => mayChoose(asked.asks, { by, input: await whatBegan(asked) }),
    decide: async (asked, { answer, press, right }) => {
      const doubt = asked.asks.id;
      const choice = answer.how;
      const said = await safely(safe, asked, answer.said);
      const facts = { doubt, choice, card: press.card, by: press.by.user, right, ...given({ said }) };
      // The item that tells the model goes into the same append. A retry needs none.
      return (state) => {
        const decided = decideChoice(state, { ...facts, refusedKept: LIMITS.refusedPressesKept });
        const told = decided.result === 'recorded' && choice !== 'retry';
        return { ...decided, items: told ? [chosen(state, doubt, { choice, said })] : [] };
      };
    },
  };
}

/** The call's input with every secret, because rules judge that. Found also when people were not asked about the call. */
async function whatBegan({ journal, asks: { id, approval, input: shown } }: FoundQuestion<Doubt>): Promise<string> {
  if (approval === undefined) return (await journal.requestOf(id)) ?? shown;
  const input = await journal.inputOf(approval);
  return input?.edited ?? input?.asked ?? shown;
}

async function safely(
  safe: DoubtsDeps['safe'],
  asked: FoundQuestion<Doubt>,
  said: string | undefined,
): Promise<string | undefined> {
  if (said === undefined) return undefined;
  const words = await safe.words({ tool: asked.asks.tool, input: await whatBegan(asked) }, said);
  return upTo(LIMITS.reasonChars, words);
}
