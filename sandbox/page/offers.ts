import { BOT } from '../people.ts';
import { OFFERED, PLAYS } from '../plays/index.ts';
import type { SlackMessage } from '../records.ts';
import { type Html, h, span } from './kit/element.ts';

/** What an empty channel offers: a press says the words of a play to the bot. */
export function drawOffers(): Html {
  return h(
    'ul',
    { className: 'offers', 'aria-label': 'Plays to begin with' },
    ...OFFERED.map(({ example, about }) =>
      h(
        'li',
        { key: example },
        h(
          'button',
          { type: 'button', className: 'offer', 'data-say': `@countersign ${example}` },
          h('strong', {}, example),
          span('quiet', about),
        ),
      ),
    ),
  );
}

/** What to do next in a thread, by the last play that a person began there. */
export function drawNext(messages: readonly SlackMessage[]): Html {
  const said = messages.flatMap(({ user, text }) => (user === BOT ? [] : [text]));
  const play = said
    .toReversed()
    .map((text) => PLAYS.find(({ begins }) => begins(text)))
    .find((found) => found !== undefined);
  if (play === undefined) return null;
  return h('p', { className: 'next', 'data-key': 'next' }, h('strong', {}, 'Try next: '), play.next);
}
