import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListCard } from '../../../../../app/records/index.ts';
import { listCard, mayApproveTogether } from '../../../../../handlers/views/card/list/list-card.ts';
import { showsWholeInRow } from '../../../../../handlers/views/card/list/list-row.ts';
import { denyAllModal } from '../../../../../handlers/views/forms/deny-all-modal.ts';
import { truthOfAll } from '../../../../../handlers/views/words/all-answers.ts';
import { runsOf } from '../../../../support/amount.ts';
import { MEMORY } from '../../../payloads.ts';
import { buttonTexts, expectToFit, ofType, parts, textOf } from '../../fits.ts';
import { character } from '../../hostile.ts';
import { everyList, list, mixed, row } from '../../lists.ts';
import { BEN, everyState, NEWER_LINK, type Pending } from '../../records.ts';

const [waiting = list(), partly = list(), , settled = list()] = everyList();
const idsOf = (card: ListCard, action: string) =>
  parts(listCard(card).blocks).flatMap((part) => (part.action_id === action ? [part.value] : []));

describe('a card with many calls', () => {
  it('a list card gives each waiting call a row with Approve, Deny and View of its own (P24)', () => {
    const ids = waiting.rows.map(({ id }) => id);

    expect(idsOf(waiting, 'approval_approve')).toEqual(ids);
    expect(idsOf(waiting, 'approval_deny')).toEqual(ids);
    expect(idsOf(waiting, 'approval_view')).toEqual(ids);
  });

  it('a list card takes the buttons of a row away when that row is decided, and no others (P21)', () => {
    const open = partly.rows.filter(({ status }) => status === 'pending').map(({ id }) => id);

    expect(idsOf(partly, 'approval_approve')).toEqual(open);
    expect(buttonTexts(listCard(partly).blocks)).toContain(`Approve all (${open.length})`);
    expect(buttonTexts(listCard(settled).blocks).filter((text) => /Approve|Deny|Trust/.test(text))).toEqual([]);
  });

  it('a list card offers to approve all only where no row is guarded, hides something or needs several people', () => {
    expect(mayApproveTogether(waiting)).toBe(true);
    for (const one of mixed().rows.slice(1)) {
      const card = list([row(0), row(4), one]);
      expect(buttonTexts(listCard(card).blocks)).not.toContain('Approve all (3)');
      expect(buttonTexts(listCard(card).blocks)).toContain('Deny all…');
    }
  });

  it('a list card is drawn from its records alone, so the order of decisions does not show (P17)', () => {
    expect(listCard(list([...partly.rows]))).toEqual(listCard(partly));
  });

  it('a list card has at most one coloured button, and its text for screen readers names every row', () => {
    for (const card of everyList()) {
      const { text, blocks } = listCard(card);
      expect(ofType(blocks, 'button').filter(({ style }) => style === 'primary').length).toBeLessThan(2);
      for (const place of card.rows.keys()) expect(text).toContain(`${place + 1}. `);
    }
  });
});

describe('whatever is asked', () => {
  const changes = fc.record({
    tool: fc.string({ unit: 'grapheme', maxLength: 300, minLength: 1 }),
    summary: fc.string({ unit: 'grapheme', maxLength: 2_000 }),
    input: fc.oneof(
      fc.json(),
      fc.string({ unit: character, maxLength: 3_000 }).map((text) => JSON.stringify({ text })),
    ),
    reason: fc.string({ unit: 'grapheme', maxLength: 2_000 }),
  });
  const rows = fc.array(fc.tuple(changes, fc.nat(50)), { minLength: 2, maxLength: 10 }).map((given) =>
    given.map(([one, state], place) => {
      const states = everyState(row(place, one) as Pending);
      return states[state % states.length] ?? row(place, one);
    }),
  );

  it('ten rows in any state fit into one message, and nothing in them acts (P20, P27)', () => {
    fc.assert(
      fc.property(rows, (drawn) => {
        const view = listCard(list(drawn));
        expectToFit(view);
        expectToFit(denyAllModal(list(drawn), MEMORY));
        const said = textOf(ofType(view.blocks, 'mrkdwn')).replaceAll(NEWER_LINK, '');
        expect(said.replace(/<(@U0|!date\^)[^<>]*>/g, '')).not.toMatch(/[<>]/);
      }),
      { numRuns: runsOf(60) },
    );
  });

  it('a row shows all of what will run, or has no Approve; and two inputs are never shown alike (P25, P26)', () => {
    fc.assert(
      fc.property(changes, changes, (one, other) => {
        const cards = [one, other].map((input) => list([row(0, input), row(1)]));
        for (const card of cards) {
          const [first] = card.rows;
          expect(idsOf(card, 'approval_approve').includes(first?.id)).toBe(
            first !== undefined && showsWholeInRow(first),
          );
        }
        const whole = cards.every(({ rows: [first] }) => first !== undefined && showsWholeInRow(first));
        if (whole && one.input !== other.input)
          expect(listCard(cards[0] ?? list())).not.toEqual(listCard(cards[1] ?? list()));
      }),
    );
  });
});

describe('what is told after a press on all', () => {
  const [first = row(0), second = row(1)] = partly.rows;

  it('the answer to a press on all rows counts what it decided, and says who decided the others or why not', () => {
    const told = truthOfAll('approve', {
      type: 'decided',
      results: [
        { type: 'decided', approval: first },
        { type: 'already-decided', approval: second },
        { type: 'over', approval: row(2) },
        { type: 'not-yours', why: 'You are not one of the people who can decide this.', rule: row(3).rule },
        { type: 'failed' },
      ],
    }).mrkdwn;

    expect(told).toBe(
      `You approved 1 of 5 calls. It runs once. 1 was decided before, by <@${BEN}>. 1 was over before, and did not run. ` +
        '1 is not yours to decide: You are not one of the people who can decide this. ' +
        '1 was not recorded; pressing again is safe.',
    );
  });
});
