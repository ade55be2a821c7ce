import type { Clock } from '../../../app/clock.ts';
import type { Approval, Doubt, Inquiry, ListCard } from '../../../app/records/index.ts';
import type { Surface } from '../../../app/surface.ts';
import { approvalCard, doubtCard, inquiryCard, listCard } from '../../views/index.ts';
import { type Origin, type Posting, postBefore, postOnce } from '../posting.ts';
import { type Painter, paint } from './painting.ts';
import { createPaintings } from './paintings.ts';

/** The cards of a thread: each kind is posted once, found again by its key, and repainted where it stands. */
export type Cards = ApprovalCards & ListCards & InquiryCards & DoubtCards;

type ApprovalCards = Pick<Surface, 'postCard' | 'findCard' | 'paintCard'>;
type ListCards = Pick<Surface, 'postList' | 'findList' | 'paintList'>;
type InquiryCards = Pick<Surface, 'postInquiry' | 'findInquiry' | 'paintInquiry'>;
type DoubtCards = Pick<Surface, 'postDoubt' | 'findDoubt' | 'paintDoubt'>;

export function createCards(posting: Posting, clock: Clock): Cards {
  const painter: Painter = { posting, paintings: createPaintings(clock) };
  return {
    ...approvalCards(painter),
    ...listCards(painter),
    ...inquiryCards(painter),
    ...doubtCards(painter),
  };
}

function approvalCards(painter: Painter): ApprovalCards {
  const { posting } = painter;
  const keyOf = ({ id }: Approval): string => `card:${id}`;
  return {
    postCard: (approval, { maybePosted }) =>
      postOnce(posting, approval.thread, {
        key: keyOf(approval),
        view: approvalCard(approval),
        maybePosted,
        about: origin(approval),
      }),
    findCard: (approval) => postBefore(posting, approval.thread, keyOf(approval)),
    paintCard: (approval) =>
      paint(painter, { ...approval, key: keyOf(approval), about: origin(approval) }, () => approvalCard(approval)),
  };
}

const origin = ({ run, firstEntry }: Approval): Origin => ({
  run,
  ...(firstEntry === undefined ? {} : { firstEntry }),
});

function listCards(painter: Painter): ListCards {
  const { posting } = painter;
  const keyOf = ({ id }: ListCard): string => `card:${id}`;
  return {
    postList: (list, { maybePosted }) =>
      postOnce(posting, list.thread, { key: keyOf(list), view: listCard(list), maybePosted }),
    findList: (list) => postBefore(posting, list.thread, keyOf(list)),
    paintList: (list) => paint(painter, { ...list, key: keyOf(list) }, () => listCard(list)),
  };
}

function inquiryCards(painter: Painter): InquiryCards {
  const { posting } = painter;
  const keyOf = ({ id }: Inquiry): string => `inquiry:${id}`;
  return {
    postInquiry: (inquiry, { maybePosted }) =>
      postOnce(posting, inquiry.thread, { key: keyOf(inquiry), view: inquiryCard(inquiry), maybePosted }),
    findInquiry: (inquiry) => postBefore(posting, inquiry.thread, keyOf(inquiry)),
    // It is painted once, when it is settled.
    paintInquiry: (inquiry) =>
      paint(painter, { ...inquiry, revision: 1, key: keyOf(inquiry) }, () => inquiryCard(inquiry)),
  };
}

function doubtCards(painter: Painter): DoubtCards {
  const { posting } = painter;
  const keyOf = ({ id }: Doubt): string => `doubt:${id}`;
  return {
    postDoubt: (doubt, { maybePosted }) =>
      postOnce(posting, doubt.thread, { key: keyOf(doubt), view: doubtCard(doubt), maybePosted }),
    findDoubt: (doubt) => postBefore(posting, doubt.thread, keyOf(doubt)),
    // As an inquiry.
    paintDoubt: (doubt) => paint(painter, { ...doubt, revision: 1, key: keyOf(doubt) }, () => doubtCard(doubt)),
  };
}
