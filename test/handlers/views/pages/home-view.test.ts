import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunId } from '../../../../app/records/index.ts';
import { sentence } from '../../../../handlers/responding/index.ts';
import { homeView, unreadableHome } from '../../../../handlers/views/pages/home-view.ts';
import { ANSWERS } from '../../../../handlers/views/words/answers.ts';
import { runsOf } from '../../../support/amount.ts';
import { doubt } from '../doubts.ts';
import { buttonTexts, expectToFit, ofType, textOf } from '../fits.ts';
import { approvalId, FULL_HOME, grantId, NOTHING, trust, UNHEARD } from '../homes.ts';
import { hostileText } from '../hostile.ts';
import { approved, pending } from '../records.ts';

const many = Array.from({ length: 30 }, (_, place) => place);
const unheard = (place: number) => ({
  ...UNHEARD,
  run: RunId.parse(`07rAAAAAAAAAAAAAAAAAAAA${`${place}`.padStart(2, '0')}`),
});

describe('the Home page', () => {
  it('the Home page says of each list that it is empty', () => {
    const text = textOf(homeView(NOTHING).blocks);

    expect(text).toContain('Nothing waits for you.');
    expect(text).toContain('Nothing that you asked for waits.');
    expect(text).toContain('You trust nothing, so each tool that needs a yes asks first.');
  });

  it('the Home page shows what waits, what was asked, what is trusted, what was answered and which tools there are', () => {
    const text = textOf(homeView(FULL_HOME).blocks);

    expect(text).toContain('*Waiting for you* (3)');
    expect(text).toContain('*Asked by you* (4)');
    expect(text).toContain('restart_service with any input, in this thread, for 1 hour');
    expect(text).toMatch(/Denied\* by <@U0BEN00001>/);
    expect(text).toContain('Asking every time; these cannot be trusted: `drop_database`');
  });

  it('the Home page shows a call with an unknown outcome first among what waits, with a link to its card', () => {
    const text = textOf(
      homeView({ ...NOTHING, waiting: { approvals: [pending()], doubts: [doubt()], more: 0 } }).blocks,
    );

    expect(text).toContain('*Waiting for you* (2)');
    expect(text).toMatch(/\(2\)\n\*Did this happen\?\* `restart_service`\n.*\n.*\|Go to the card>\n`restart_service`/);
  });

  it('the Home page names calls that are approved again and again in words, without code and without ids (SURF-1)', () => {
    const suggestion = "{ name: 'restart_service for U0ANN00001', effect: 'allow', when: (input) => true }";
    const text = textOf(homeView({ ...NOTHING, suggested: [approved({ suggestion })] }).blocks);

    expect(text).toContain('*Approved again and again* (1)\nThese calls were approved several times in a row');
    expect(text).toContain('`restart_service` for <@U0ANN00001>');
    expect(text).toContain('service: payments');
    expect(text).not.toMatch(/=>|effect|[^@]U0ANN/);
    expect(textOf(homeView(NOTHING).blocks)).not.toContain('Approved again');
  });

  it('the Home page does not say of a question to a person that it could be trusted', () => {
    const asks = { name: 'ask_person', inputSchema: {}, effect: 'asked', approvers: [], wants: () => ({}) } as const;

    const text = textOf(homeView({ ...NOTHING, tools: [asks] }).blocks);

    expect(text).toContain('Asking every time; these cannot be trusted: `ask_person`');
    expect(text).not.toContain('unless it is trusted');
  });

  it('the Home page has no button that decides: those stand at the end of the full view, or in the form of an answer', () => {
    expect([...new Set(buttonTexts(homeView(FULL_HOME).blocks))]).toEqual([
      'View and decide',
      'Answer…',
      'View full input',
      'Stop trusting',
    ]);
  });

  it('the Home page fits when each of its lists is longer than its rows (P27)', () => {
    const waiting = many.map((place) => pending({ id: approvalId(place) }));
    const answered = many.map((place) => approved({ id: approvalId(place) }));

    const view = homeView({
      ...FULL_HOME,
      answer: sentence(ANSWERS.trustEnded),
      waiting: { approvals: waiting, more: 1, unheard: many.map(unheard) },
      asked: { approvals: waiting, more: 1 },
      decided: answered,
      trusted: many.map((place) => trust({ id: grantId(place) })),
      suggested: answered,
    });

    expectToFit({ blocks: view.blocks });
  });

  it('the Home page never looks empty when it could not be read', () => {
    expect(textOf(unreadableHome().blocks)).toContain('I cannot look this up just now.');
  });

  it('the Home page fits, and has only the bot’s own mark-up, whatever is in it (P20, P27)', () => {
    const text = fc.record({ tool: hostileText, words: hostileText });
    fc.assert(
      fc.property(text, ({ tool, words }) => {
        const open = {
          approvals: many.map((place) => pending({ id: approvalId(place), tool, summary: words })),
          more: 5,
        };
        const view = homeView({
          waiting: open,
          asked: open,
          decided: many.map((place) => approved({ id: approvalId(place), tool, summary: words })),
          trusted: many.map((place) => trust({ id: grantId(place), offer: { ...trust().offer, line: words || 'x' } })),
          tools: many.map(() => ({ name: tool, inputSchema: {}, effect: 'asked', approvers: [] })),
        });
        expectToFit({ blocks: view.blocks });
        for (const part of ofType(view.blocks, 'mrkdwn')) {
          expect(String(part.text)).not.toMatch(/<(?!@U0|#C0|!date\^|https:\/\/slack\.com\/)/);
        }
      }),
      { numRuns: runsOf(60) },
    );
  });
});
