import type { KnownBlock } from '@slack/types';
import type { Doubt } from '../../../app/records/index.ts';
import {
  actions,
  button,
  channelNote,
  cutMiddle,
  deciders,
  digestNote,
  fallback,
  footnote,
  inputBlocks,
  inWords,
  isShownWhole,
  listed,
  type MessageView,
  type Mrkdwn,
  mention,
  moment,
  mrkdwn,
  plain,
  postedTo,
  prose,
  quotation,
  REMINDER,
  SHOWN,
  section,
  toolName,
} from '../../views/index.ts';

/** The card that asks what became of a call, in each of its states. It offers no yes, because trying again asks anew. */
export function doubtCard(doubt: Doubt): MessageView {
  const { tool, summary, standing } = doubt;
  const { mark, state } = STATES[standing.status];
  const id = (part: string): string => `${part}:${doubt.id}:${standing.status}`;
  const pending = standing.status === 'pending';
  return {
    text: fallback(mrkdwn`${state}: ${toolName(tool)}. ${pending ? what(doubt) : ending(doubt)}`),
    blocks: [
      section(id('head'), mrkdwn`${{ mrkdwn: mark }} *${state}* · \`${toolName(tool)}\``),
      ...(summary.trim() === '' ? [] : [prose(id('summary'), summary.trim(), SHOWN.summaryChars)]),
      ...inputBlocks(id('input'), doubt.input, REMINDER),
      ...(pending ? question(doubt, id) : said(doubt, id)),
      ...smallPrint(doubt, id('print')),
    ],
  };
}

function smallPrint(doubt: Doubt, id: string): readonly KnownBlock[] {
  const ended = doubt.standing.status === 'pending' ? [] : [ending(doubt)];
  const notes = [
    ...ended,
    ...digestNote(doubt, REMINDER).map((note) => plain(note, SHOWN.noteChars)),
    ...channelNote(doubt),
  ];
  return notes.length === 0 ? [] : [footnote(id, notes)];
}

/** The word says everything. The sign only helps the eye. */
const STATES: Readonly<Record<Doubt['standing']['status'], { readonly mark: string; readonly state: string }>> = {
  pending: { mark: ':warning:', state: 'Did this happen?' },
  happened: { mark: ':white_check_mark:', state: 'It happened' },
  skip: { mark: ':no_entry:', state: 'Left alone' },
  retry: { mark: ':repeat:', state: 'Tried again' },
  finished: { mark: ':white_check_mark:', state: 'It finished' },
  expired: { mark: ':hourglass:', state: 'Outcome unknown' },
  withdrawn: { mark: ':octagonal_sign:', state: 'Outcome unknown' },
};

function what(doubt: Doubt): Mrkdwn {
  const { limitMs } = doubt;
  const why =
    limitMs === undefined
      ? 'This was cut off while it ran, and I'
      : `This reached its time limit of ${inWords(limitMs)} and was told to stop. I`;
  // A long text is several messages.
  const part = postedTo(doubt) === undefined ? '' : ' A part of a long message may stand in the channel already.';
  return mrkdwn`${why} do not know whether it finished. I have not run it again: please look, and tell me.${part}`;
}

function question(doubt: Doubt, id: (part: string) => string): readonly KnownBlock[] {
  return [
    section(id('what'), what(doubt)),
    footnote(id('facts'), [mrkdwn`${who(doubt)} · until ${moment(doubt.expiresAtMs)}`]),
    choices(doubt, id('choices')),
    footnote(id('care'), [plain(CARE, SHOWN.noteChars)]),
  ];
}

/** One name where the same person asked and can tell. */
function who(doubt: Doubt): Mrkdwn {
  const requester = mention(doubt.requester);
  const people = listed(deciders(doubt), 'or');
  if (people.mrkdwn === requester.mrkdwn) return mrkdwn`${requester} asked and can tell`;
  return mrkdwn`${requester} asked · ${people} can tell`;
}

const CARE =
  'Try again is a new request: it is asked about like any other. Leave it alone tells the agent not to repeat it.';

export type DoubtButton = 'doubt_happened' | 'doubt_skip' | 'doubt_retry';
const choice = button<DoubtButton>;

function choices(doubt: Doubt, block: string): KnownBlock {
  const { id, tool, approval } = doubt;
  const name = cutMiddle(toolName(tool), 40);
  return actions(block, [
    choice({
      action: 'doubt_happened',
      text: 'It happened…',
      label: `It happened: the call of ${name}`,
      value: id,
      style: 'primary',
    }),
    choice({ action: 'doubt_skip', text: 'Leave it alone', label: `Leave it alone: do not repeat ${name}`, value: id }),
    choice({ action: 'doubt_retry', text: 'Try again', label: `Try again: ask for ${name} once more`, value: id }),
    ...(approval === undefined || isShownWhole(doubt, REMINDER)
      ? []
      : [
          button({
            action: 'approval_view',
            text: 'View full input',
            label: `View full input of ${name}`,
            value: approval,
          }),
        ]),
  ]);
}

function said({ standing }: Doubt, id: (part: string) => string): readonly KnownBlock[] {
  if (standing.status !== 'happened' || standing.said === undefined) return [];
  return [quotation(id('said'), 'What came of it', standing.said, SHOWN.reasonChars)];
}

function ending(doubt: Doubt): Mrkdwn {
  const { standing } = doubt;
  switch (standing.status) {
    case 'pending':
      return what(doubt);
    case 'happened':
      return mrkdwn`${mention(standing.by)} says that it happened · ${moment(standing.atMs)}`;
    case 'skip':
      return mrkdwn`${mention(standing.by)} chose not to repeat it · ${moment(standing.atMs)}`;
    case 'retry':
      return mrkdwn`${mention(standing.by)} asked for it once more · ${moment(standing.atMs)}`;
    case 'finished':
      return mrkdwn`The call finished after all, only late. You need not check it.`;
    case 'expired':
      return mrkdwn`Nobody told me in time whether it happened. I did not run it again.`;
    case 'withdrawn':
      return mrkdwn`The run ended before I was told whether it happened. I did not run it again.`;
  }
}
