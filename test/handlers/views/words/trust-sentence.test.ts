import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../../../app/limits.ts';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { lineModal } from '../../../../handlers/views/forms/terms-modal.ts';
import { homeView } from '../../../../handlers/views/pages/home-view.ts';
import { trustedModal, trustedView } from '../../../../handlers/views/pages/trusted-view.ts';
import { decidedByYou, trustGiven } from '../../../../handlers/views/words/answers.ts';
import { textOf } from '../fits.ts';
import { NOTHING, trust } from '../homes.ts';
import { FORM_MEMORY } from '../inquiries.ts';
import { everyState, pending } from '../records.ts';

const begin = 'restart_service with service payments, in this thread, for 1 hour';
const line = begin.padEnd(LIMITS.trustLineChars, ', at most 3 times');
const offer = { line, match: 'exact', scope: 'thread', forMs: 3_600_000 } as const;
const standing = { ...trust(), offer };
const trusted =
  everyState().flatMap((one) => (one.status === 'trusted' ? [{ ...one, trust: offer }] : []))[0] ?? pending();

describe('the sentence of a trust stands whole', () => {
  it.each([
    ['on a card that was decided', approvalCard(trusted)],
    ['in the form of other terms', lineModal(pending(), offer, FORM_MEMORY)],
    ['in `/trusted`', trustedView([standing], 'channel')],
    ['in the list of a thread', trustedModal([standing])],
    ['on Home', homeView({ ...NOTHING, trusted: [standing] })],
  ])('%s (SURF-1, P54)', (_, { blocks }) => {
    expect(textOf(blocks)).toContain(line);
  });

  it('in the answers to a press and to `/trust` (SURF-1)', () => {
    expect(decidedByYou(trusted).mrkdwn).toContain(line);
    expect(trustGiven(standing).mrkdwn).toContain(line);
  });

  it('on the card that offers it (SURF-1)', () => {
    const card = approvalCard(pending({ trust: { ...offer, line: begin } }));
    expect(textOf(card.blocks)).toContain(`Trust approves this call and later ones: ${begin}`);
  });
});

it('a list of trusts links to the card that shows all of an input to which a trust is bound (SURF-1)', () => {
  const bound = { ...standing, offer: { ...offer, scope: 'requester' as const }, approval: pending().id };

  expect(textOf(trustedView([bound], 'channel').blocks)).toContain('Go to the thread');
});
