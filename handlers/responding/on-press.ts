import type { WebClient } from '@slack/web-api';
import type { Log } from '../../app/log.ts';
import type { ApprovalId } from '../../app/records/index.ts';
import { type PressedButton, readApprovalId, readPress } from '../payloads/index.ts';
import { ANSWERS, type MessageView, type Mrkdwn, messageModal } from '../views/index.ts';
import type { Answer, Arrival } from './arrival.ts';
import { showIn } from './open-view.ts';
import { answerPrivately, privately } from './tell.ts';
import { sentence } from './trusting.ts';

/** How every press is taken: read, and refused where the bot draws no such button. The door has acknowledged it. */

export interface PressDeps {
  readonly client: WebClient;
  readonly log: Log;
  readonly homes: { readonly say: (person: PressedButton['by'], answer: MessageView) => Promise<void> };
}

type PlaceName = PressedButton['place']['type'];

/** A press on a button that stands in a place of this kind. */
export interface Press<Where extends PlaceName = PlaceName> extends PressedButton {
  readonly place: Extract<PressedButton['place'], { readonly type: Where }>;
  /** Answers where the button stands: below a message for the presser alone, or in the view they look at. */
  readonly say: (answer: MessageView) => Promise<void>;
  /** Says that no button of ours sends this. */
  readonly refuse: () => Promise<void>;
}

export type PressOf<Where extends PlaceName> = Press<Where> & { readonly approval: ApprovalId };

export const ANYWHERE = ['message', 'view', 'home'] as const;

/** The answer to a button that stands in these places. */
export function onPress<Deps extends PressDeps, Where extends PlaceName>(
  places: readonly Where[],
  act: (deps: Deps, press: Press<Where>) => Promise<void>,
): Answer<Deps> {
  return async (deps, arrival) => {
    const press = readPress(arrival.body);
    if (press === undefined || !standsIn(press, places)) return misread(deps, arrival);
    await act(deps, {
      ...press,
      say: (view) => answer(deps, arrival, press, view),
      refuse: () => misread(deps, arrival),
    });
  };
}

/** The same for a button that carries the id of a question. Without one, `unknown` is said or the press is refused. */
export function onPressOf<Deps extends PressDeps, Where extends PlaceName>(
  { places, unknown }: { readonly places: readonly Where[]; readonly unknown?: Mrkdwn },
  act: (deps: Deps, press: PressOf<Where>) => Promise<void>,
): Answer<Deps> {
  return onPress(places, async (deps, press) => {
    const approval = readApprovalId(press.value);
    if (approval !== undefined) return act(deps, { ...press, approval });
    await (unknown === undefined ? press.refuse() : press.say(sentence(unknown)));
  });
}

function standsIn<Where extends PlaceName>(
  press: PressedButton,
  places: readonly Where[],
): press is PressedButton & Pick<Press<Where>, 'place'> {
  return places.some((place) => place === press.place.type);
}

async function answer(
  deps: PressDeps,
  { respond }: Arrival,
  { place, by }: PressedButton,
  view: MessageView,
): Promise<void> {
  switch (place.type) {
    case 'message': {
      const listener = { user: by.user, channel: place.card.channel, threadTs: place.threadTs };
      return answerPrivately(deps, respond, listener, view);
    }
    case 'home':
      return deps.homes.say(by, view);
    case 'view':
      return showIn(deps, place, messageModal(view));
  }
}

async function misread({ log }: Pick<PressDeps, 'log'>, { respond }: Arrival): Promise<void> {
  log.warn('A press was not acted on', { why: 'none of our buttons sends this' });
  await respond?.(privately(sentence(ANSWERS.notUnderstood)));
}
