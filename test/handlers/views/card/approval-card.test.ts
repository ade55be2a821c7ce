import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Approval, UserId } from '../../../../app/records/index.ts';
import { approvalCard } from '../../../../handlers/views/card/approval-card.ts';
import { showsWholeInput } from '../../../../handlers/views/card/call.ts';
import { isDeciding } from '../../../../handlers/views/card/state-words.ts';
import { runsOf } from '../../../support/amount.ts';
import { buttonTexts, expectToFit, ofType, parts, problems, textOf } from '../fits.ts';
import { hostileText, hugeText, input } from '../hostile.ts';
import { ANN, APPROVAL, approved, BEN, everyState, GRANT, guarded, NEWER_LINK, pending, ZOE } from '../records.ts';

const anyAsked = fc.record({ tool: hostileText, summary: hostileText, reason: hostileText, input });
const anyApproval = fc.tuple(anyAsked, fc.boolean(), fc.nat(100)).map(([asked, needsMore, which]) => {
  const states = everyState(needsMore ? guarded(asked) : pending(asked));
  return states[which % states.length] ?? pending(asked);
});

/** One block as people read it. */
const seenIn = (block: unknown): string => textOf(block).replaceAll('\n', '').trim();

const KIM = UserId.parse('U0KIM00001');
const OPS = UserId.parse('S0ONCALL01');

describe('an approval card', () => {
  it('an approval card fits every limit of Slack, in every state, whatever the input (P20)', () => {
    fc.assert(
      fc.property(anyApproval, (approval) => expectToFit(approvalCard(approval))),
      { numRuns: runsOf(300) },
    );
  });

  it('an approval card fits however long the input is (P20)', () => {
    fc.assert(
      fc.property(hugeText, fc.nat(100), (text, which) => {
        const states = everyState(pending({ input: JSON.stringify({ text }) }));
        expectToFit(approvalCard(states[which % states.length] ?? pending()));
      }),
      { numRuns: runsOf(20) },
    );
  });

  it('the checker of cards sees a card that does not fit (P20)', () => {
    const { blocks } = approvalCard(pending());

    expect(problems({ text: 'x'.repeat(4_001), blocks })).not.toEqual([]);
    expect(problems({ text: 'x', blocks: [...blocks, ...blocks] })).toContain('a block id twice');
    expect(problems({ text: 'x', blocks: [{ type: 'section', text: { text: 'x'.repeat(3_001) } }] })).not.toEqual([]);
  });

  it('two different calls have different approval cards (P26)', () => {
    fc.assert(
      fc.property(input, input, (one, other) => {
        fc.pre(one !== other);
        const cards = [one, other].map((text) => pending({ input: text }));
        // What does not fit is told apart by its digest, which is of the whole input.
        const shown = cards.map((card) =>
          JSON.stringify(approvalCard({ ...card, digest: showsWholeInput(card) ? '' : card.input })),
        );
        if (cards.every(showsWholeInput)) expect(shown[0] === shown[1]).toBe(false);
      }),
      { numRuns: runsOf(300) },
    );
    const [one, other] = ['aaaaaaaa', 'bbbbbbbb'].map((digest) =>
      approvalCard(pending({ input: JSON.stringify('x'.repeat(5_000)), digest })),
    );
    expect(textOf(one?.blocks)).not.toBe(textOf(other?.blocks));
  });

  it('an approval card lets no input, summary or reason into mark-up (P27)', () => {
    const markup = (asked: { readonly summary: string; readonly reason: string; readonly input: string }) =>
      everyState(pending(asked)).map((approval) =>
        ofType(approvalCard(approval).blocks, 'mrkdwn').map((part) => part.text),
      );
    const harmless = markup({ summary: 'x', reason: 'x', input: '{"a":1}' });

    fc.assert(
      fc.property(fc.record({ summary: hostileText, reason: hostileText, input }), (asked) => {
        expect(markup(asked)).toEqual(harmless);
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('an approval card makes mentions, links and dates only out of its own ids and times (P27, T2, T15)', () => {
    fc.assert(
      fc.property(anyApproval, (approval) => {
        const { text, blocks } = approvalCard(approval);
        const active = [text, ...ofType(blocks, 'mrkdwn').map((part) => String(part.text))].flatMap((shown) =>
          [...shown.matchAll(/<[^>]*>?/g)].map(String),
        );
        expect(
          active.filter(
            (sign) =>
              sign !== NEWER_LINK &&
              !/^<@U0[A-Z0-9]+>$|^<!date\^\d+\^\{date_short_pretty\} \{time\}\|[-\d]+ [:\d]+ UTC>$/.test(sign),
          ),
        ).toEqual([]);
        for (const type of ['link', 'user', 'broadcast', 'usergroup', 'channel', 'image'])
          expect(ofType(blocks, type)).toEqual([]);
        // The sign of the state.
        expect(ofType(blocks, 'emoji')).toHaveLength(1);
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('an approval card has Approve exactly when it shows the whole input (P57)', () => {
    fc.assert(
      fc.property(anyAsked, fc.boolean(), (asked, needsMore) => {
        const approval = needsMore ? guarded(asked) : pending(asked);
        expect(buttonTexts(approvalCard(approval).blocks).includes('Approve')).toBe(showsWholeInput(approval));
      }),
      { numRuns: runsOf(100) },
    );
  });

  it('an approval card names what it hides, and then has neither Approve nor Trust (P25)', () => {
    const card = approvalCard(pending({ input: JSON.stringify({ text: 'x'.repeat(100_000) }) }));

    expect(buttonTexts(card.blocks)).toEqual(['Deny', 'View full input']);
    expect(textOf(card.blocks)).toMatch(/\+ 98,\d{3} more characters/);
    expect(textOf(card.blocks)).toContain('Approve is at its end');
  });

  it('an approval card of an older record that hides something without saying by what has no Approve (MF-7, P25)', () => {
    const old = pending({ input: '{"pass":"[hidden 0123456789]"}', hides: ['pass'] });

    expect(showsWholeInput(old)).toBe(false);
    expect(showsWholeInput({ ...old, undeclared: [] })).toBe(true);
    expect(textOf(approvalCard(old).blocks)).toContain('This card hides what the tool does not declare secret');
  });

  it('an approval card hides a sixteenth line as well (P25)', () => {
    const member = 'x'.repeat(9);
    const tall = (lines: number) => pending({ input: JSON.stringify(Array.from({ length: lines }, () => member)) });

    expect(showsWholeInput(tall(13))).toBe(true);
    expect(showsWholeInput(tall(14))).toBe(false);
  });

  it('an approval card asks a question in words, with its choices, and does not repeat it as JSON', () => {
    const question = 'When may it go away?';
    const input = JSON.stringify({ question, choices: ['Now', 'Tonight'] });
    const card = approvalCard(
      pending({ tool: 'ask_person', summary: question, input, wants: { choices: ['Now', 'Tonight'] } }),
    );

    expect(textOf(card.blocks)).toContain('• Now\n• Tonight');
    expect(textOf(card.blocks).split(question)).toHaveLength(2);
    expect(JSON.stringify(card.blocks)).not.toContain('choices\\"');
  });

  it('an approval card offers Approve, Deny, Trust and a menu, and no view of what it shows in full (SURF-1)', () => {
    const { blocks } = approvalCard(pending());

    expect(buttonTexts(blocks)).toEqual(['Approve', 'Deny', 'Trust']);
    expect(ofType(blocks, 'button').filter((part) => part.style === 'primary')).toHaveLength(1);
    expect(textOf(ofType(blocks, 'overflow'))).toBe(
      'Deny with a reason…\nAnswer instead…\nEdit input…\nTrust on other terms…\nStop this run',
    );
  });

  it('an approval card shows no suggested rule, because it has no source code on it (MF-13)', () => {
    const rule = "{ tool: 'restart_service', effect: 'allow' }";

    expect(JSON.stringify(approvalCard(pending({ suggestion: rule })))).not.toContain('allow');
  });

  it('an approval card has no Trust for a guarded tool (P39)', () => {
    const { blocks } = approvalCard(guarded({ trust: { line: 'x', match: 'any', scope: 'thread', forMs: 1 } }));
    const cheat = approvalCard({ ...pending(), effect: 'guarded' });

    expect(buttonTexts(blocks)).toEqual(['Approve', 'Deny']);
    expect(buttonTexts(cheat.blocks)).not.toContain('Trust');
  });

  it('an approval card says above the buttons that Trust approves this call, and what else it allows, word for word (P51, SURF-1)', () => {
    const { blocks } = approvalCard(pending());
    const at = (text: string) => blocks.findIndex((block) => JSON.stringify(block).includes(text));

    expect(textOf(blocks)).toContain(
      'Trust approves this call and later ones: restart_service with any input, in this thread, for 1 hour',
    );
    expect(at('Trust approves this call and later ones')).toBe(at('approval_approve') - 1);
  });

  it('an approval card has no Trust when the line would have to be cut (P51)', () => {
    const { blocks } = approvalCard(
      pending({ trust: { line: 'x'.repeat(400), match: 'any', scope: 'thread', forMs: 1 } }),
    );

    expect(buttonTexts(blocks)).not.toContain('Trust');
  });

  it('an approval card has no button that decides once it is not pending (P21)', () => {
    const deciding = new Set<unknown>(['approval_approve', 'approval_deny', 'approval_trust', 'approval_more']);
    for (const approval of everyState().filter(({ status }) => status !== 'pending')) {
      const drawn = parts(approvalCard(approval).blocks).map((part) => part.action_id);
      expect(drawn.filter((action) => deciding.has(action))).toEqual([]);
    }
  });

  it('an approval card offers to end a trust that holds and to ask again what expired, and neither a second time', () => {
    const texts = everyState().map((approval) => buttonTexts(approvalCard(approval).blocks));
    const drawn = everyState().map((approval) => ({
      status: approval.status,
      over: 'trustEnded' in approval || 'askedAgain' in approval || isDeciding(approval),
    }));

    drawn.forEach(({ status, over }, index) => {
      expect(texts[index]?.includes('Stop trusting')).toBe(status === 'trusted' && !over);
      expect(texts[index]?.includes('Ask again')).toBe(status === 'expired' && !over);
    });
  });

  it('an approval card carries nothing in its buttons but the id (P42)', () => {
    const values = parts(everyState().map(approvalCard)).flatMap((part) =>
      part.value === undefined ? [] : [part.value],
    );

    expect(new Set(values)).toEqual(
      new Set([
        APPROVAL,
        GRANT,
        `deny ${APPROVAL}`,
        `answer ${APPROVAL}`,
        `edit ${APPROVAL}`,
        `terms ${APPROVAL}`,
        `stop ${APPROVAL}`,
        `trusted ${APPROVAL}`,
      ]),
    );
  });

  it('an approval card names who decided, when, and how long it took (P44)', () => {
    const print = textOf(approvalCard(approved()).blocks);

    expect(print).toContain(
      `Approved by <@${BEN}> · <!date^1795251852^{date_short_pretty} {time}|2026-11-21 09:04 UTC> · after 4 minutes`,
    );
    expect(print).toContain('Ran in 1.2 s.');
  });

  it.each([
    ['pending', 'Approval needed'],
    ['approved', 'Approved'],
    ['trusted', 'Approved and trusted'],
    ['denied', 'Denied'],
    ['expired', 'Expired'],
    ['cancelled', 'Cancelled'],
    ['replaced', 'Replaced'],
  ])('an approval card names its state in words when it is %s, on the card and in what is read out', (status, word) => {
    const settled = everyState().filter((one) => !isDeciding(one) && one.wants === undefined);
    const stateOf = (one: Approval) => (one.status === 'cancelled' && one.replacedBy ? 'replaced' : one.status);
    const cards = settled.filter((one) => stateOf(one) === status);
    expect(cards).not.toEqual([]);
    for (const approval of cards) {
      const { text, blocks } = approvalCard(approval);
      expect(text.startsWith(word)).toBe(true);
      expect(seenIn(blocks[0]).startsWith(`${word}`)).toBe(true);
    }
  });

  it('an approval card says from the press until the call begins that it is being worked on, and who pressed (P44)', () => {
    const input = JSON.stringify({ query: 'select\n'.repeat(9) });
    for (const approval of everyState(pending({ input })).filter(isDeciding)) {
      const { text, blocks } = approvalCard(approval);
      expect(text).toMatch(/^Working on it: .*By <@U0BEN00001>\. Not started yet\.$/);
      expect(seenIn(blocks[0]).startsWith('Working on it · ')).toBe(true);
      expect(textOf(blocks)).toContain(`Approved by <@${BEN}>`);
      expect(textOf(blocks)).not.toContain('more character');
      expect(buttonTexts(blocks)).toEqual([]);
    }
    expect(everyState().filter(isDeciding)).toHaveLength(2);
  });

  it('an approval card does not say of a question to a person that trust would end the asking', () => {
    const text = textOf(approvalCard({ ...pending(), wants: { choices: [] } }).blocks);

    expect(text).toContain('asks and can answer');
    expect(text).not.toContain('Trust approves');
  });

  it('an approval card names the fields of a question, shows no JSON of its form, and does not mention Approve', () => {
    const form = JSON.stringify({
      type: 'object',
      properties: { minutes: { type: 'integer', title: 'For how long, in minutes' }, note: { type: 'string' } },
      required: ['minutes'],
    });
    const question = 'How may I restart it? '.repeat(40).trim();
    const asking = { summary: question, input: JSON.stringify({ form: JSON.parse(form), question }) };
    const { blocks } = approvalCard({ ...pending(asking), wants: { choices: [], form } });

    const text = textOf(blocks);
    expect(text).toContain('The agent’s form asks for');
    expect(text).toContain('• For how long, in minutes\n• note (optional)');
    expect(text).toContain(question);
    expect(text).not.toMatch(/"type"|Approve|more characters|edited here/);
  });

  it('an approval card shows what was said in a form by the names of its fields', () => {
    const form = JSON.stringify({
      type: 'object',
      properties: {
        minutes: { type: 'integer', title: 'For how long' },
        tell: { type: 'boolean', title: 'Tell them' },
      },
      required: ['minutes', 'tell'],
    });
    const decision = { verdict: 'answer', by: ANN, atMs: 1_000, answer: '{"minutes":9,"tell":true}' } as const;
    const approval: Approval = { ...pending(), status: 'answered', wants: { choices: [], form }, decision };

    const text = textOf(approvalCard(approval).blocks);
    expect(text).toContain('For how long: 9 · Tell them: Yes');
    expect(text).not.toContain('It did not run');
  });

  it('an approval card admits that an outcome is unknown, and says so once (SURF-1)', () => {
    const unknown: Approval = { ...approved(), outcome: { type: 'unknown' } } as Approval;

    const { text, blocks } = approvalCard(unknown);
    for (const said of [text, textOf(blocks)]) {
      expect(said).toContain('It may or may not have run. Check before you run it again.');
      expect(said.match(/outcome unknown/gi)).toHaveLength(1);
    }
  });

  it('an approval card says of a call whose approval was not used that it did not run (P6)', () => {
    const unused = everyState().filter((one) => 'outcome' in one && one.outcome.type === 'not-applied');
    expect(unused.length).toBeGreaterThan(1);
    for (const one of unused) expect(textOf(approvalCard(one).blocks)).toMatch(/not run|did not run/i);
  });

  it('an approval card shows the reason of a denial as it was written', () => {
    const denied = everyState(pending({ summary: 'Not <!channel> *now*' })).find(
      (one) => one.status === 'denied' && one.decision.reason !== undefined,
    );

    expect(textOf(approvalCard(denied ?? pending()).blocks)).toContain('“Not <!channel> *now*”');
    expect(
      ofType(approvalCard(denied ?? pending()).blocks, 'mrkdwn')
        .map((part) => part.text)
        .join(),
    ).not.toContain('channel');
  });

  it('an approval card marks what the agent says as its own words (T22)', () => {
    expect(textOf(approvalCard(pending()).blocks)).toContain(
      'In the agent’s own words\nIt has answered 502 for ten minutes.',
    );
    expect(textOf(approvalCard(pending({ reason: ' ' })).blocks)).not.toContain('own words');
  });

  it.each([
    [2, [BEN, ZOE], `<@${BEN}> and <@${ZOE}> both decide · 0 of 2`],
    [2, [ANN, BEN, ZOE], `<@${BEN}> and <@${ZOE}> both decide · 0 of 2`],
    [3, [BEN, ZOE, KIM], `<@${BEN}>, <@${ZOE}> and <@${KIM}> all decide · 0 of 3`],
    [2, [BEN, ZOE, KIM], `2 of <@${BEN}>, <@${ZOE}> and <@${KIM}> decide · 0 of 2`],
    [2, [BEN, OPS], `2 of <@${BEN}> and <!subteam^${OPS}> decide · 0 of 2`],
    [1, [BEN, ZOE], `<@${BEN}> or <@${ZOE}> can decide · 0 of 1, stage 1 of 2`],
  ])('a card says whether %i of several people decide, or all of them (SURF-1)', (needed, approvers, words) => {
    const rule = { approvers, selfApproval: false, quorum: needed };
    const stages = needed === 1 ? 2 : 1;
    const asked = guarded({ rule, progress: { yeses: [], stage: 1, stages, given: 0, needed, approvers } });

    expect(textOf(approvalCard(asked).blocks)).toContain(`<@${ANN}> asks · ${words} · until `);
  });

  it('an approval card names the people who can decide, and not the requester where that is ruled out (P36)', () => {
    const rule = { approvers: [pending().requester, BEN], selfApproval: false };

    expect(textOf(approvalCard(pending({ rule })).blocks)).toContain(`<@${ANN}> asks · <@${BEN}> can decide · until `);
    expect(textOf(approvalCard(pending()).blocks)).toContain(`<@${ANN}> asks and can decide · until `);
  });

  it('an approval card has other block ids in each painting, so that nothing old is kept', () => {
    const ids = (revision: number) =>
      parts(approvalCard(pending({ revision })).blocks).flatMap((part) => part.block_id ?? []);

    expect(ids(3).filter((id) => ids(4).includes(id))).toEqual([]);
  });

  it('an approval card labels every button with its tool and effect', () => {
    for (const button of ofType(everyState().map(approvalCard), 'button')) {
      expect(button.accessibility_label).toContain('restart_service');
    }
  });
});
