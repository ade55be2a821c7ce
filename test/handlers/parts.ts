import type {
  AskAgainResult,
  ConsiderResult,
  DecideAllResult,
  DecideResult,
  LostClaim,
  OfferResult,
  PressOnAll,
  ReferResult,
  VerdictPress,
  WaitingList,
} from '../../app/approvals/approvals.ts';
import type { TrustWish } from '../../app/authority/new-trusts.ts';
import { createTakenBack } from '../../app/authority/taken-back.ts';
import type { GiveResult } from '../../app/authority/trust.ts';
import { given } from '../../app/given.ts';
import type { QuestionAnswer } from '../../app/journal/decide/questions.ts';
import { NO_USAGE } from '../../app/journal/fold/queries/usage.ts';
import type { ThreadUsage } from '../../app/keeping/usage.ts';
import type { Log } from '../../app/log.ts';
import type { Answered, Considered, Pressed } from '../../app/questions/answering.ts';
import type { GiveFeedback, GivenOpinion } from '../../app/questions/feedback.ts';
import type {
  Approval,
  ApprovalId,
  Doubt,
  DoubtChoice,
  InboxMessage,
  Inquiry,
  KnownTool,
  Person,
  StandingTrust,
  StoredTrustTerms,
} from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/runs.ts';
import type { HomeClaims } from '../../app/store/index.ts';
import type { AskRight } from '../../app/who-may-ask.ts';
import type { SlackDeps } from '../../handlers/index.ts';
import { createModelStore } from '../support/model-store.ts';

/** The rest of the bot as Slack's side sees it: answers what a test says, and remembers what it was asked. */
export interface Parts extends Omit<SlackDeps, 'settings' | 'workspaces'> {
  readonly asked: {
    readonly presses: VerdictPress[];
    readonly onAll: PressOnAll[];
    readonly answers: {
      readonly inquiry: ApprovalId;
      readonly by: Person;
      readonly answer: QuestionAnswer<'inquiry'>;
    }[];
    readonly taken: InboxMessage[];
    readonly stopped: unknown[];
    readonly wishes: TrustWish[];
    readonly places: unknown[];
    readonly revoked: unknown[];
    readonly endedWords: unknown[];
    readonly again: unknown[];
    readonly terms: unknown[];
    readonly opinions: GivenOpinion[];
    readonly left: string[];
    readonly choices: (Pressed & {
      readonly doubt: ApprovalId;
      readonly choice: DoubtChoice;
      readonly said?: string | undefined;
    })[];
  };
  readonly logged: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
}

export interface World {
  readonly decide?: (press: VerdictPress) => Promise<DecideResult>;
  readonly decideAll?: DecideAllResult;
  /** Whether Slack lets the bot change the pressed card. */
  readonly shown?: boolean | Promise<boolean>;
  readonly found?: Approval;
  /** Is what a card claims to be ours something that our store has lost? */
  readonly lost?: (claim: LostClaim) => boolean;
  /** What a person hears who wants to fill in a form; without it the form of `found` opens. */
  readonly consider?: ConsiderResult;
  readonly again?: AskAgainResult;
  readonly offer?: OfferResult | ((terms: StoredTrustTerms) => OfferResult);
  readonly refer?: ReferResult;
  readonly waiting?: WaitingList;
  readonly waitingNow?: () => WaitingList | Promise<WaitingList>;
  /** Where processes say which of them publishes a Home page. */
  readonly store?: HomeClaims;
  readonly waitingFails?: boolean;
  readonly askedBy?: WaitingList;
  readonly settled?: readonly Approval[];
  readonly tools?: readonly KnownTool[];
  readonly revoke?: () => Promise<'revoked' | 'already' | 'unknown'>;
  readonly find?: () => Promise<Approval | undefined>;
  readonly answer?: Answered<Inquiry>;
  readonly considerInquiry?: Considered<Inquiry>;
  readonly choose?: Answered<Doubt>;
  readonly considerDoubt?: Considered<Doubt>;
  readonly mayAsk?: AskRight;
  /** `whoMayAsk: 'anybody'`. */
  readonly botsMayAsk?: boolean;
  readonly knows?: boolean;
  readonly take?: Runs['take'];
  readonly once?: Runs['once'];
  readonly keeps?: boolean;
  readonly standing?: Awaited<ReturnType<Runs['standing']>>;
  readonly tryAgain?: Awaited<ReturnType<Runs['tryAgain']>>;
  readonly stop?: 'stopped' | 'nothing-runs';
  readonly stopFails?: boolean;
  readonly feedback?: Awaited<ReturnType<GiveFeedback>>;
  readonly trusts?: readonly StandingTrust[];
  /** Of those, or besides them, what a person gave or what counts for them. */
  readonly given?: readonly StandingTrust[];
  readonly inThreads?: readonly StandingTrust[];
  readonly give?: GiveResult | ((wish: TrustWish) => GiveResult | Promise<GiveResult>);
  readonly usage?: ThreadUsage;
}

const NOTHING_USED: ThreadUsage = { running: undefined, thread: { ...NO_USAGE, cost: undefined } };

export function parts(world: World = {}): Parts {
  const asked: Parts['asked'] = {
    presses: [],
    onAll: [],
    answers: [],
    taken: [],
    stopped: [],
    wishes: [],
    places: [],
    revoked: [],
    endedWords: [],
    again: [],
    terms: [],
    opinions: [],
    left: [],
    choices: [],
  };
  const logged: Parts['logged'] = [];
  const seen = new Set<string>();
  const line = (message: string, fields = {}) => void logged.push({ message, fields });
  const log: Log = { debug: line, info: line, warn: line, error: line };
  const first = (key: string) => !seen.has(key) && seen.add(key) !== undefined;

  return {
    asked,
    logged,
    log,
    step: () => {},
    commandPrefix: '',
    asker: { bots: world.botsMayAsk === true, may: async () => world.mayAsk ?? 'yes' },
    left: async (team) => void asked.left.push(team),
    tools: () => world.tools ?? [],
    approvals: {
      decide: async (press) => {
        asked.presses.push(press);
        return world.decide?.(press) ?? { type: 'unknown' };
      },
      decideAll: async (press) => {
        asked.onAll.push(press);
        return world.decideAll ?? { type: 'unknown' };
      },
      findList: async () => undefined,
      cardDeleted: async () => {},
      find: world.find ?? (async () => world.found),
      isUnknown: async () => world.lost !== undefined,
      isShown: async () => world.shown ?? true,
      isLost: async (claim) => world.lost?.(claim) ?? false,
      waitingFor: async (by) => {
        asked.places.push(by);
        if (world.waitingFails === true) throw new Error('the store is away');
        return world.waitingNow?.() ?? world.waiting ?? { approvals: [], more: 0 };
      },
      askedBy: async () => world.askedBy ?? { approvals: [], more: 0 },
      settledFor: async () => world.settled ?? [],
      suggestedTo: async () => [],
      offerTrust: async (approval, by, terms) => {
        asked.terms.push({ approval, by, terms });
        return (typeof world.offer === 'function' ? world.offer(terms) : world.offer) ?? { type: 'unknown' };
      },
      refer: async () => world.refer ?? { type: 'unknown' },
      askAgain: async (approval, by) => {
        asked.again.push({ approval, by });
        return world.again ?? { type: 'unknown' };
      },
      consider: async () =>
        world.consider ?? (world.found === undefined ? { type: 'unknown' } : { type: 'open', approval: world.found }),
    },
    giveFeedback: async (given) => {
      asked.opinions.push(given);
      return world.feedback ?? 'kept';
    },
    questions: {
      inquiry: {
        answer: async (inquiry, answer, { by }) => {
          asked.answers.push({ inquiry, by, answer });
          return world.answer ?? { type: 'unknown' };
        },
        consider: async () => world.considerInquiry ?? { type: 'unknown' },
      },
      doubt: {
        answer: async (doubt, { how: choice, ...said }, press) => {
          asked.choices.push({ doubt, choice, ...said, ...press });
          return world.choose ?? { type: 'unknown' };
        },
        consider: async () => world.considerDoubt ?? { type: 'unknown' },
      },
    },
    runs: {
      take:
        world.take ??
        (async (message) => {
          if (!first(`${message.thread.channel}:${message.ts}`)) return 'seen';
          asked.taken.push(message);
          return (world.knows ?? false) ? 'added' : 'taken';
        }),
      once: world.once ?? (async (thread, key) => first(`${thread.channel}:${key}`)),
      knows: async () => world.knows ?? false,
      isLostThread: async () => false,
      standing: async () => world.standing ?? 'idle',
      keeps: async () => world.keeps ?? false,
      tryAgain: async () => world.tryAgain ?? { type: 'nothing-waits' },
      stopRun: async ({ run, thread }, by) => {
        asked.stopped.push({ thread, by, run });
        if (world.stopFails === true) throw new Error('the store is away');
        return world.stop ?? 'stopped';
      },
      stop: async (thread, by, said) => {
        asked.stopped.push({ thread, by, ...given({ said }) });
        if (world.stopFails === true) throw new Error('the store is away');
        return world.stop ?? 'stopped';
      },
    },
    usage: async (thread) => {
      asked.places.push(thread);
      return world.usage ?? NOTHING_USED;
    },
    store: world.store ?? { claimHome: async () => 'unknown', keepHome: async () => true },
    trust: {
      list: async (place) => {
        asked.places.push(place);
        return world.trusts ?? [];
      },
      listFor: async () => world.given ?? world.trusts ?? [],
      listToEnd: async (place) => {
        asked.places.push(place);
        return [world.trusts, world.given, world.inThreads].flatMap((trusts) => trusts ?? []);
      },
      give: async (wish) => {
        asked.wishes.push(wish);
        if (typeof world.give === 'function') return world.give(wish);
        return world.give ?? { type: 'refused', why: 'There is no such tool.' };
      },
      revoke: async (trust, by, approval) => {
        asked.revoked.push({ trust, by, ...given({ approval }) });
        return world.revoke?.() ?? 'revoked';
      },
      takenBack: createTakenBack(createModelStore({ now: () => 0 })),
      endGiven: async ({ by, delivery }) => {
        asked.endedWords.push({ by: by.user, delivery });
      },
    },
  };
}
