import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecideAllResult } from '../../../../../app/approvals/index.ts';
import { given } from '../../../../../app/given.ts';
import type { ListCard, UserId } from '../../../../../app/records/index.ts';
import { listCard, mayApproveTogether } from '../../../../../handlers/views/card/list/list-card.ts';
import { showsWholeInRow } from '../../../../../handlers/views/card/list/row-words.ts';
import { denyAllModal } from '../../../../../handlers/views/forms/deny-all-modal.ts';
import { truthOfAll } from '../../../../../handlers/views/words/all-answers.ts';
import { checkMessageBlocks } from '../../../../../sandbox/block-kit/check.ts';
import { asJson } from '../../../../../sandbox/json.ts';
import { runsOf } from '../../../../support/amount.ts';
import { SLACK_PX } from '../../../../support/size/metrics.ts';
import { buttonWidth, sizeOf } from '../../../../support/size/size.ts';
import { MEMORY } from '../../../payloads.ts';
import { buttonTexts, expectToFit, ofType, parts, textOf } from '../../fits.ts';
import { character } from '../../hostile.ts';
import { everyList, list, mixed, row } from '../../lists.ts';
import { ANN, BEN, everyState, NEWER_LINK, type Pending, ZOE } from '../../records.ts';

const [waiting = list(), partly = list(), , settled = list()] = everyList();
const idsOf = (card: ListCard, action: string) =>
  parts(listCard(card).blocks).flatMap((part) => (part.action_id === action ? [part.value] : []));

describe('a card with many calls', () => {
  it('a list card gives each waiting call a row with Approve and Deny of its own (P24)', () => {
    const ids = waiting.rows.map(({ id }) => id);

    expect(idsOf(waiting, 'approval_approve')).toEqual(ids);
    expect(idsOf(waiting, 'approval_deny')).toEqual(ids);
    expect(idsOf(waiting, 'approval_view')).toEqual([]);
  });

  it('a row of a list card names the channel that a call posts to (P26)', () => {
    const input = '{"channel":"C0GEN00001","text":"Done."}';
    const shown = JSON.stringify(listCard(list([row(1, { tool: 'post_to_channel', input }), row(2)])).blocks);

    expect(shown).toContain('Channel: <#C0GEN00001>');
  });

  it('a list card takes the buttons of a row away when that row is decided, and no others (P21)', () => {
    const open = partly.rows.filter(({ status }) => status === 'pending').map(({ id }) => id);

    expect(idsOf(partly, 'approval_approve')).toEqual(open);
    expect(buttonTexts(listCard(partly).blocks)).toContain(`Approve all ${open.length}: billing, mail, orders`);
    expect(buttonTexts(listCard(settled).blocks).filter((text) => /Approve|Deny|Trust/.test(text))).toEqual([]);
  });

  it('a list card offers to approve all only where no row is guarded, hides something, wants words or needs more than a press', () => {
    expect(mayApproveTogether(waiting)).toBe(true);
    const more = [row(1, { wants: { choices: ['Now', 'Tonight'] } }), row(1, { secondFactor: true })];
    for (const one of [...mixed().rows.slice(1), ...more]) {
      const card = list([row(0), row(4), one]);
      expect(idsOf(card, 'list_approve_all')).toEqual([]);
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

describe('a list card that is read at one glance', () => {
  const size = (blocks: readonly object[]) => {
    const checked = checkMessageBlocks(asJson(blocks));
    if (checked.type === 'refused') throw new Error(checked.problems.join());
    return sizeOf(checked.value);
  };
  const rowOf = (changes: Parameters<typeof row>[1]) => listCard(list([row(0, changes), row(1)])).blocks.slice(3, 5);

  it('a list card of four calls fits in 480 px, and each of its rows in 60 px (SURF-1)', () => {
    const four = list([0, 1, 2, 3].map((place) => row(place, { saidAbove: true })));

    expect(size(listCard(four).blocks).heightPx).toBeLessThanOrEqual(480);
    expect(size(rowOf({})).heightPx).toBeLessThanOrEqual(60);
    const long = { summary: 'Restart it. '.repeat(20), input: '{"a":"x y","b":2,"c":true}', preview: '' };
    expect(size(rowOf(long)).heightPx).toBeLessThanOrEqual(60);
    expect(size(rowOf({ input: JSON.stringify({ query: 'x'.repeat(900) }) })).heightPx).toBeLessThanOrEqual(60);
  });

  it.each([
    ['one field', '{"service":"payments"}', 'service: payments'],
    ['several fields', '{"service":"payments","replicas":3}', 'service: payments, replicas: 3'],
    ['fields that could be taken for others, as JSON', '{"a":"b, c: d"}', '{"a":"b, c: d"}'],
    ['a list', '[1,2]', '[1,2]'],
  ])('a row shows the whole input in its line, and then has Approve: %s (SURF-1)', (_what, input, shown) => {
    const blocks = rowOf({ input, preview: '' });

    expect(
      ofType(blocks, 'text')
        .filter(({ style }) => style !== undefined)
        .at(-1),
    ).toMatchObject({ text: shown });
    expect(buttonTexts(blocks)).toEqual(['Approve', 'Deny']);
  });

  it('a row that is longer than its line has View in place of Approve, and the beginning of its digest (SURF-1, P26)', () => {
    const blocks = rowOf({ input: JSON.stringify({ query: 'x'.repeat(60) }) });

    expect(buttonTexts(blocks)).toEqual(['Deny', 'View']);
    expect(textOf(blocks)).toContain('Digest 0a9f1c77');
    expect(textOf(rowOf({}))).not.toContain('Digest');
    expect(buttonTexts(rowOf({ preview: 'It would delete four thousand rows of the table.' }))).toEqual([
      'Deny',
      'View',
    ]);
  });

  it('a row whose sentence is cut, or that has no room for how things are now, has View beside Approve (SURF-1)', () => {
    expect(buttonTexts(rowOf({ summary: 'Restart it. '.repeat(20) }))).toEqual(['Approve', 'Deny', 'View']);
    expect(buttonTexts(rowOf({ precondition: { text: 'up', digest: 'd' } }))).toEqual(['Approve', 'Deny', 'View']);
  });

  it('the buttons of a list card have names that differ, and the last one names the calls (SURF-1)', () => {
    const { blocks } = listCard(waiting);
    const labels = ofType(blocks, 'button').map(({ accessibility_label: label }) => label);

    expect(labels).toContain('Approve 1: payments, restart_service');
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels).toContain('Approve all 5: payments and 4 more: search, billing, mail, orders');
    expect(buttonTexts(blocks).at(-2)).toBe('Approve all 5: payments and 4 more');
  });

  it.each([
    [['a', 'b', 'c'], 'Approve all 3: a, b, c'],
    [['payments', 'search'], 'Approve all 2: payments, search'],
    [['mail', 'search', 'web', 'api', 'orders'], 'Approve all 5: mail and 4 more'],
    [['payments-of-the-north', 'payments-of-the-south'], 'Approve all 2'],
  ])('the button for all calls, %s, is whole on a phone of 390 px (SURF-5)', (services, words) => {
    const rows = services.map((service, at) => row(at, { input: JSON.stringify({ service }), preview: '' }));
    const all = ofType(listCard(list(rows)).blocks, 'button').at(-2);

    expect(all?.text).toMatchObject({ text: words });
    expect(buttonWidth(all ?? {})).toBeLessThanOrEqual(390 - SLACK_PX.beside);
  });

  it('no sentence of an agent becomes the name of a call on a button (SURF-1, T22)', () => {
    const rows = ['safe; press me', 'b'].map((service, at) =>
      row(at, { input: JSON.stringify({ service }), preview: '' }),
    );

    expect(buttonTexts(listCard(list(rows)).blocks).at(-2)).toBe('Approve all 2: restart_service, b');
  });

  it('a row keeps every note about its safety (SURF-1)', () => {
    const progress = { yeses: [], stage: 1, stages: 1, given: 0, needed: 2, approvers: [BEN, ZOE] };
    const hidden = { hides: ['key'], undeclared: [{ name: 'key', by: 'name', chars: 9 }] } as const;
    const text = textOf(listCard(list([row(0, { progress, ...hidden, alsoSteeredBy: [BEN] }), row(1)])).blocks);

    const both = `<@${BEN}> and <@${ZOE}> both decide`;
    for (const note of ['Also wrote here', 'Hidden: key.', 'does not declare secret', '0 of 2', both])
      expect(text).toContain(note);
  });

  it('a row names a rule only where the tool would do something else by itself (SURF-1)', () => {
    const named = (unchanged?: true) =>
      textOf(listCard(list([row(0, { ruledBy: { name: 'Big ones', ...given({ unchanged }) } }), row(1)])).blocks);

    expect(named()).toContain('Rule: Big ones');
    expect(named(true)).not.toContain('Big ones');
  });

  it('a row has Stop trusting only until its trust has ended (SURF-1)', () => {
    const ends = everyState(row(0)).flatMap((one) => {
      if (one.status !== 'trusted' || one.outcome.type !== 'ran') return [];
      const drawn = listCard(list([one, row(1)])).blocks;
      return [[one.trustEnded !== undefined, buttonTexts(drawn).includes('Stop trusting')]];
    });

    expect(ends.sort()).toEqual([
      [false, true],
      [true, false],
    ]);
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
    const result: DecideAllResult = {
      type: 'decided',
      results: [
        { type: 'decided', approval: first },
        { type: 'already-decided', approval: second },
        { type: 'over', approval: row(2) },
        {
          type: 'not-yours',
          why: 'It is for others.',
          notNamed: true,
          approval: row(3, { rule: { approvers: [BEN], selfApproval: true } }),
        },
        { type: 'failed' },
      ],
    };
    const told = (reader: UserId) => truthOfAll('approve', result, reader).mrkdwn;

    expect(told(ANN)).toBe(
      `You approved 1 of 5 calls. It runs once. 1 was decided before, by <@${BEN}>. 1 was over before, and did not run. ` +
        `Only <@${BEN}> can decide 1 of them. ` +
        '1 was not recorded, as far as I know; pressing again is safe.',
    );
    expect(told(BEN)).toContain('1 was decided before, by you.');
  });

  it('the refusal of a press on all rows is one sentence with who can (SURF-1)', () => {
    const rule = { approvers: [BEN], selfApproval: true };
    const results = [0, 1].map((at) => ({ ...elsewhere, approval: row(at, { rule }) }));

    expect(truthOfAll('approve', { type: 'decided', results }, ANN).mrkdwn).toBe(
      `Only <@${BEN}> can decide these. Nothing changed.`,
    );
  });
});

const elsewhere = { type: 'not-yours', why: 'It is for others.', notNamed: true } as const;
