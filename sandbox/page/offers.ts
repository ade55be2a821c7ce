import { elementsOf } from '../block-kit/check.ts';
import { BOT } from '../people.ts';
import { OFFERED, PLAYS } from '../plays/index.ts';
import type { SessionState, SlackMessage } from '../records.ts';
import { type Html, h, keyed, span } from './kit/element.ts';
import { icon } from './kit/icons.ts';

/** What an empty channel offers: a press says the words of a play to the bot. */
export function drawOffers(): Html {
  return h(
    'ul',
    { className: 'offers', 'aria-label': 'Requests to try' },
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

/** The same in a channel that has messages, folded until a person asks for it. */
export function drawPlays(): Html {
  return keyed(
    'details',
    'plays',
    { className: 'plays', 'data-keep': 'open' },
    h('summary', {}, icon('fold'), 'Requests to try'),
    drawOffers(),
  );
}

/** What to do next in a thread, by the last play that a person began there, for as long as it can be done. */
export function drawNext(messages: readonly SlackMessage[], { status }: SessionState): Html {
  const [begun] = messages
    .toReversed()
    .flatMap(({ user, text }) => (user === BOT ? [] : [{ said: text, play: PLAYS.find(({ begins }) => begins(text)) }]))
    .filter(({ play }) => play !== undefined);
  if (begun?.play === undefined) return null;
  const { said, play } = begun;
  const told = messages.flatMap(({ user, text }) => (user === BOT ? [text] : [])).join('\n');
  // Slack itself shows Stop while the bot works.
  const buttons = [...buttonsOf(messages), ...(status === 'processing' ? ['Stop'] : [])];
  if (play.isNext?.({ said, buttons, told }) === false) return null;
  return h('p', { className: 'next', 'data-key': 'next' }, h('strong', {}, 'Try next: '), play.next);
}

function buttonsOf(messages: readonly SlackMessage[]): readonly string[] {
  return messages
    .flatMap(({ blocks }) => blocks.flatMap(elementsOf))
    .flatMap((element) => (element.type === 'button' ? [element.text.text] : []));
}
