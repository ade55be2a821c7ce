import type { WebClient } from '@slack/web-api';
import { orLog } from '../../app/or-log.ts';
import type { ApprovalId, TrustId } from '../../app/records/index.ts';
import type { Runs } from '../../app/runs/index.ts';
import {
  type BotPayload,
  type PressedButton,
  type PressedPlace,
  readApprovalId,
  readGrantId,
  readPress,
} from '../payloads/index.ts';
import {
  ANSWERS,
  type BUTTONS,
  type ButtonId,
  type ButtonRow,
  type MessageView,
  type Mrkdwn,
  messageModal,
  UNKNOWN_QUESTION,
} from '../views/index.ts';
import type { AnswerDelivery, Arrival } from './arrival.ts';
import { failureSaid, showIn } from './open-view.ts';
import { type ShownDeps, unlessShown } from './shown.ts';
import { answerPrivately, privately, sentence, UNTOLD } from './tell.ts';

/** Reads every press, and refuses one from a place where the bot draws no such button. The door has acknowledged it. */

export interface PressDeps extends ShownDeps {
  readonly client: WebClient;
  readonly runs: Pick<Runs, 'once'>;
  readonly bot: () => BotPayload;
  /** Takes the buttons off a pressed card, if its question is lost. Never rejects. */
  readonly takeBackLost: (question: ApprovalId, place: Places['message']) => Promise<void>;
  readonly homes: { readonly say: (person: PressedButton['by'], answer: MessageView) => Promise<void> };
}

/** What the value of a button names. */
interface Named {
  readonly approval: ApprovalId;
  readonly list: ApprovalId;
  readonly question: ApprovalId;
  readonly trust: TrustId;
  readonly words: string;
}

interface Reading<Thing> {
  readonly read: (value: string) => Thing | undefined;
  /** The answer where the value names nothing. */
  readonly unknown: Mrkdwn;
}

const READING: { readonly [About in keyof Named]: Reading<Named[About]> } = {
  approval: { read: readApprovalId, unknown: ANSWERS.unknown },
  list: { read: readApprovalId, unknown: ANSWERS.unknown },
  question: { read: readApprovalId, unknown: UNKNOWN_QUESTION },
  trust: { read: readGrantId, unknown: ANSWERS.trustUnknown },
  words: { read: (value) => value, unknown: ANSWERS.notUnderstood },
};

function readingOf<What extends keyof Named>(what: What): Reading<Named[What]> {
  return READING[what];
}

/** The question that a button of this row is about. The menu of a card carries a choice before the id. */
function questionIn(what: keyof Named, value: string): ApprovalId | undefined {
  return what === 'trust' ? undefined : readApprovalId(value.split(' ').at(-1) ?? '');
}

type Places = { readonly [Place in PressedPlace as Place['type']]: Place };

function standsOn<Where extends keyof Places>(place: PressedPlace, on: readonly Where[]): place is Places[Where] {
  return on.some((type) => type === place.type);
}

/** A press on this button. */
export type Press<Id extends ButtonId> = PressOn<(typeof BUTTONS)[Id]>;

/** A press on a button with this row. */
export type PressOn<Row extends ButtonRow> = Omit<PressedButton, 'place' | 'value'> & {
  readonly place: Places[Row['on'][number]];
  readonly about: Named[Row['about']];
  /** Answers where the button stands: below a message for the presser alone, or in the view of the button. */
  readonly say: (answer: MessageView) => Promise<void>;
};

/** The answer to a button. Its row says where it stands and what it carries. */
export function onPress<Deps extends PressDeps, Row extends ButtonRow>(
  { on, about: what }: Row,
  act: (deps: Deps, press: PressOn<Row>) => Promise<void>,
): AnswerDelivery<Deps> {
  const { read, unknown } = readingOf<Row['about']>(what);
  return async (deps, arrival) => {
    const press = readPress(arrival.body);
    if (press === undefined) return misread(deps, arrival);
    const { place, value } = press;
    if (!standsOn<Row['on'][number]>(place, on)) {
      deps.log.warn('A press was not acted on', { why: MISREAD });
      return answer(deps, arrival, press, sentence(ANSWERS.notUnderstood));
    }
    let isAnswered = false;
    const say = (view: MessageView) => {
      isAnswered = true;
      return answer(deps, arrival, press, view);
    };
    const about = read(value);
    if (about === undefined) {
      deps.log.warn('A press was not acted on', { why: 'its button names nothing that the bot knows' });
      await say(sentence(unknown));
    } else {
      await act(deps, { ...press, place, about, say }).catch(async (error: unknown) => {
        // The door answers a press on a message. Slack sends it no address for the answer to any other press.
        if (!isAnswered && press.place.type !== 'message')
          await orLog(deps.log.warn, UNTOLD, { by: press.by.user }, () => say(failureSaid(error)));
        throw error;
      });
    }
    const question = questionIn(what, value);
    if (question !== undefined && press.place.type === 'message') await deps.takeBackLost(question, press.place);
  };
}

/**
 * What came of a press. The card alone answers one that `counted`, where Slack lets the bot change the card. A person who presses
 * `again` may do so because the card does not change, so they are told soon.
 */
export async function answerPress(
  deps: ShownDeps,
  { place, say }: { readonly place: PressedPlace; readonly say: (answer: MessageView) => Promise<void> },
  { words, counted, again }: { readonly words: Mrkdwn; readonly counted: boolean; readonly again?: boolean },
): Promise<void> {
  const tell = () => say(sentence(words));
  if (counted && place.type === 'message') unlessShown(deps, place.card, tell, again);
  else await tell();
}

async function answer(
  deps: PressDeps,
  { respond }: Arrival,
  { place, by, trigger }: PressedButton,
  view: MessageView,
): Promise<void> {
  switch (place.type) {
    case 'message': {
      if (!(await isFirst(deps, place, trigger))) return;
      const { card, threadTs } = place;
      // A message outside of a thread is its own root, and Slack shows no private answer in a thread without a reply.
      const listener = { user: by.user, channel: card.channel, threadTs: threadTs === card.ts ? undefined : threadTs };
      return answerPrivately(deps, respond, listener, view);
    }
    case 'home':
      return deps.homes.say(by, view);
    case 'view':
      return showIn(deps, place, messageModal(view));
  }
}

/** Slack may deliver a press twice, and the presser is told once. On a page or in a view, the second answer draws the same. */
async function isFirst(
  { runs, bot, log }: PressDeps,
  { card: { channel }, threadTs: ts }: Places['message'],
  trigger: string,
): Promise<boolean> {
  const thread = { team: bot().team_id, channel, ts };
  // The store may be out of reach. The person is told, although it may be once more.
  const first = await orLog(log.info, 'A press may have been answered before', { channel }, () =>
    runs.once(thread, `told:${trigger}`),
  );
  return first ?? true;
}

const MISREAD = 'none of our buttons sends this';

async function misread({ log }: Pick<PressDeps, 'log'>, { respond }: Arrival): Promise<void> {
  log.warn('A press was not acted on', { why: MISREAD });
  await respond?.(privately(sentence(ANSWERS.notUnderstood)));
}
