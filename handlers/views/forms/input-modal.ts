import type { Button, KnownBlock, ModalView } from '@slack/types';
import type { Approval } from '../../../app/records/index.ts';
import {
  alsoWrote,
  approvedCall,
  blockId,
  channelNote,
  digestLine,
  inputNotes,
  ruleLine,
  severalWords,
  summaryBlocks,
  toolName,
  undeclaredNote,
} from '../card/call.ts';
import { approveButton, denyButton, webButton } from '../card/card-buttons.ts';
import { agentsWords } from '../card/card-question.ts';
import { lookedBlocks } from '../card/looked.ts';
import {
  actions,
  button,
  footnote,
  type MessageView,
  type Mrkdwn,
  mrkdwn,
  plain,
  preformatted,
  prose,
  section,
} from '../kit/blocks.ts';
import type { ButtonId } from '../kit/buttons.ts';
import { shownInSteps } from '../kit/input-text.ts';
import { SHOWN, SLACK } from '../kit/limits.ts';
import { pieces, visible } from '../kit/text.ts';
import { count } from '../words/wording.ts';

/**
 * The whole input, page by page. A person on the last page has been shown all of it, so Approve stands there. A file is for
 * searching and comparing, and does not change that. `news` says what became of the last press here. Other work may have a turn
 * between the steps.
 */
export function* inputModalInSteps(asked: Approval, page: number, news?: string): Generator<void, ModalView> {
  const approval = approvedCall(asked);
  const all = yield* allPieces(approval);
  const pages = Math.max(1, Math.ceil(all.length / SHOWN.piecesPerPage));
  const at = Math.min(Math.max(Math.trunc(page) || 0, 0), pages - 1);
  const shown = all.slice(at * SHOWN.piecesPerPage, (at + 1) * SHOWN.piecesPerPage);
  const id = (part: string): string => `${blockId(approval, part)}:${at}`;

  return modal(at, [
    section(id('head'), mrkdwn`\`${toolName(approval.tool)}\``),
    ...(at === 0 ? summaryBlocks(id('summary'), approval, SLACK.sectionChars) : []),
    footnote(id('where'), [
      ...[where(approval, at, pages), ...inputNotes(approval)].map((note) => plain(note, SHOWN.noteChars)),
      ...alsoWrote(approval),
      ...channelNote(approval),
    ]),
    ...(at === 0 ? about(approval, id) : []),
    ...shown.map((piece, index) => preformatted(id(`piece-${index}`), piece)),
    ...turning(approval, at, pages, id),
    ...(news === undefined ? [] : [footnote(id('news'), [plain(news, SHOWN.noteChars)])]),
    ...(at === pages - 1 ? ending(approval, id) : []),
  ]);
}

/** What stands on the card only where it is special: by which rule it asks, what it rests on, and why the agent wants it. */
function about(approval: Approval, id: Part): readonly KnownBlock[] {
  return [
    footnote(id('rule'), [plain(ruleLine(approval), SHOWN.noteChars)]),
    ...agentsWords(approval),
    ...lookedBlocks(approval),
  ];
}

/** The whole input as the pages show it, as a file to search in. */
export function* inputFile(asked: Approval): Generator<void, { readonly name: string; readonly content: string }> {
  const { tool, input, digest } = approvedCall(asked);
  const head = `${visible(tool)}\n${digestLine(digest)}\nA copy to read and to search. It is approved or denied in Slack.`;
  return { name: `input-${digest.slice(0, 8)}.txt`, content: `${head}\n\n${yield* shownInSteps(input)}\n` };
}

/** Opens at once, while the trigger is still good. Its content follows. */
export function loadingModal(what: string = INPUT.loading, title: string = INPUT.title): ModalView {
  return modal(0, [prose('loading', what, SHOWN.noteChars)], title);
}

/** Takes the place of an input or a form, and says why there is none or what became of it. */
export function messageModal({ blocks }: MessageView, title: string = INPUT.title): ModalView {
  return modal(0, blocks, title);
}

const INPUT = { title: 'Full input', loading: 'Fetching the input …' } as const;

/** The view remembers only the page of its reader. The buttons name the approval. */
function modal(page: number, blocks: KnownBlock[], title: string = INPUT.title): ModalView {
  return {
    type: 'modal',
    callback_id: 'approval_input',
    title: plain(title, SLACK.modalTitleChars),
    close: plain('Close', SLACK.modalTitleChars),
    private_metadata: JSON.stringify({ page }),
    blocks,
  };
}

type Part = (part: string) => string;

/** The pieces of the input, with the whole name of the tool where the head had to cut it. */
function* allPieces({ tool, input }: Approval): Generator<void, readonly string[]> {
  const name = tool.length > SHOWN.toolChars ? pieces(visible(tool), SHOWN.pieceChars) : [];
  return [...name, ...pieces(yield* shownInSteps(input), SHOWN.pieceChars)];
}

function where({ digest }: Approval, page: number, pages: number): string {
  return `Page ${page + 1} of ${pages} · ${digestLine(digest)}`;
}

function turning({ id: approvalId }: Approval, page: number, pages: number, id: Part): readonly KnownBlock[] {
  const turn = (action: ButtonId, text: string, to: number): Button =>
    button({ action, text, label: `${text}, page ${to + 1} of ${pages}`, value: approvalId });
  const buttons = [
    ...(page > 0 ? [turn('approval_page_previous', 'Previous page', page - 1)] : []),
    ...(page < pages - 1 ? [turn('approval_page_next', 'Next page', page + 1)] : []),
    ...(pages > SHOWN.pagesWithoutFile
      ? [
          button({
            action: 'approval_input_file',
            text: 'Send me a file',
            label: 'Send me a file with all of it',
            value: approvalId,
          }),
        ]
      : []),
  ];
  const left = pages - 1 - page;
  const more = left > 0 ? [footnote(id('left'), [plain(`${count(left, 'more page')} to read.`, SHOWN.noteChars)])] : [];
  return buttons.length === 0 ? [] : [...more, actions(id('pages'), buttons)];
}

function ending(approval: Approval, id: Part): readonly KnownBlock[] {
  if (approval.status !== 'pending') {
    return [
      footnote(id('end'), [plain('This is the end of the input. It needs no decision any more.', SHOWN.noteChars)]),
    ];
  }
  const hidden = undeclaredNote(approval).map((note) => prose(id('undeclared'), note, SLACK.sectionChars));
  if (approval.secondFactor === true) return [...hidden, actions(id('choices'), [webButton(approval)])];
  if (approval.wants !== undefined) {
    return [
      section(
        id('end'),
        mrkdwn`This is the end of the input. It is a question: *Answer…* stands on its card, and in the list of what waits for you.`,
      ),
      actions(id('choices'), [denyButton(approval)]),
    ];
  }
  return [
    ...hidden,
    section(id('end'), mrkdwn`This is the end of the input. ${whatApprovingDoes(approval)}`),
    actions(id('choices'), [approveButton(approval), denyButton(approval)]),
  ];
}

function whatApprovingDoes(approval: Approval): Mrkdwn {
  const [several] = severalWords(approval);
  if (several === undefined) return mrkdwn`Approving runs exactly this call, once.`;
  return mrkdwn`${several}. With the last yes exactly this call runs, once.`;
}
