import type { Inquiry } from '../../../app/records/index.ts';
import { ANN, APPROVAL, RUN, THREAD } from './records.ts';

/** What tool servers ask, as the views get it. A test names only the fields it is about. */

const ASKED_MS = Date.UTC(2026, 10, 21, 9);

export const FORM_MEMORY = {
  approval: APPROVAL,
  card: { channel: THREAD.channel, ts: '1795251601.000200' },
  threadTs: THREAD.ts,
};

export const object = (properties: object) => ({ type: 'object', properties });

export function inquiry(changes: Partial<Inquiry> = {}): Inquiry {
  return {
    id: APPROVAL,
    run: RUN,
    thread: THREAD,
    requester: ANN,
    server: 'notes',
    tool: 'notes__ask',
    message: 'Which branch?',
    schema: JSON.stringify({ ...object({ branch: { type: 'string', maxLength: 10 } }), required: ['branch'] }),
    askedAtMs: ASKED_MS,
    expiresAtMs: ASKED_MS + 570_000,
    card: { channel: THREAD.channel, ts: '1795251601.000200' },
    standing: { status: 'pending' },
    ...changes,
  };
}

/** One in each state of its life. */
export function everyInquiry(asked: Inquiry = inquiry()): readonly Inquiry[] {
  const by = { by: ANN, atMs: ASKED_MS + 60_000 };
  return [
    asked,
    { ...asked, standing: { status: 'answered', ...by, content: { branch: 'a secret branch' } } },
    { ...asked, standing: { status: 'declined', ...by } },
    { ...asked, standing: { status: 'withdrawn' } },
    { ...asked, standing: { status: 'expired' } },
  ];
}
