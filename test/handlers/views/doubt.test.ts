import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Doubt } from '../../../app/records/index.ts';
import { doubtCard } from '../../../handlers/questions/doubt/card.ts';
import { happenedForm } from '../../../handlers/questions/doubt/form.ts';
import { checkMessageBlocks, checkView } from '../../../sandbox/block-kit/check.ts';
import { runsOf } from '../../support/amount.ts';
import { doubt, everyDoubt } from './doubts.ts';
import { buttonTexts, expectToFit, ofType, textOf } from './fits.ts';
import { hostileText, input } from './hostile.ts';
import { FORM_MEMORY } from './inquiries.ts';

const anyDoubt = fc.record({ tool: hostileText, summary: hostileText, input }).map((asked) => doubt(asked));

describe('the card of a call with an unknown outcome', () => {
  it('the card of a lost call fits every limit of Slack, in every state, whatever ran (P20)', () => {
    fc.assert(
      fc.property(anyDoubt, hostileText, (asked, said) => {
        for (const each of everyDoubt(asked)) {
          const { standing } = each;
          const card = doubtCard(standing.status === 'happened' ? { ...each, standing: { ...standing, said } } : each);
          expectToFit(card);
          expect(checkMessageBlocks(JSON.parse(JSON.stringify(card.blocks)))).toMatchObject({ type: 'fine' });
        }
        const form = happenedForm(asked, FORM_MEMORY);
        expectToFit({ blocks: form.blocks });
        expect(checkView(JSON.parse(JSON.stringify(form)), 'modal')).toMatchObject({ type: 'fine' });
      }),
      { numRuns: runsOf(60) },
    );
  });

  it('the card of a lost call lets no word of a call or of a person into mark-up (P27)', () => {
    const markup = (word: string) =>
      everyDoubt(doubt({ summary: word })).map((each) => {
        const { standing } = each;
        const spoken = standing.status === 'happened' ? { ...each, standing: { ...standing, said: word } } : each;
        return ofType(doubtCard(spoken).blocks, 'mrkdwn').map(({ text }) => text);
      });

    fc.assert(
      fc.property(hostileText, (word) => {
        fc.pre(word.trim() !== '');
        expect(markup(word)).toEqual(markup('x'));
      }),
      { numRuns: runsOf(60) },
    );
  });

  it('the card of a lost call has buttons while it is open, none of them a yes, and none after that (P21)', () => {
    const [open, ...over] = everyDoubt();

    expect(buttonTexts(doubtCard(open ?? doubt()))).toEqual(['It happened…', 'Leave it alone', 'Try again']);
    expect(over.map((each) => buttonTexts(doubtCard(each)))).toEqual(over.map(() => []));
  });

  it('the card of a post that may stand in a channel links to the channel, and does not say that the bot was interrupted', () => {
    const post = { tool: 'post_to_channel', input: '{"channel":"C0GEN00001","text":"Done."}' };

    for (const each of everyDoubt(doubt(post))) {
      const shown = textOf(doubtCard(each).blocks);
      expect(shown).toContain('Channel: <#C0GEN00001>');
      expect(shown).not.toContain('interrupted');
    }
  });

  it('the open card of a post says that a part of it may stand in the channel (SURF-1)', () => {
    const post = { tool: 'post_to_channel', input: '{"channel":"C0GEN00001","text":"Done."}' };
    const words = 'A part of a long message may stand in the channel already.';
    const [open, ...over] = everyDoubt(doubt(post)).map((each) => textOf(doubtCard(each).blocks));

    expect(open).toContain(words);
    expect(over.filter((text) => text.includes(words))).toEqual([]);
    expect(textOf(doubtCard(doubt()).blocks)).not.toContain(words);
  });

  it('the card of a lost call has View full input and a digest only where it does not show everything (SURF-1, P26)', () => {
    const of = (changes: Partial<Doubt>) => {
      const { blocks } = doubtCard(doubt(changes));
      return [buttonTexts(blocks).includes('View full input'), textOf(blocks).includes('Digest d1d1d1d1')];
    };
    const long = JSON.stringify({ text: 'x'.repeat(400) });

    expect(of({})).toEqual([false, false]);
    expect(of({ standing: { status: 'finished' } })).toEqual([false, false]);
    expect(of({ input: long })).toEqual([true, true]);
    expect(of({ tool: 'x'.repeat(200) })).toEqual([true, true]);
    expect(of({ hides: ['key'] })).toEqual([true, true]);
    expect(of({ hides: ['key'], undeclared: [] })).toEqual([false, true]);
    expect(of({ input: '{"a":"x\u200by"}' })).toEqual([false, true]);
    expect(of({ input: long, standing: { status: 'expired' } })).toEqual([false, true]);
  });

  it('the card of a lost call names the people who can say what became of it, and says what trying again means', () => {
    const text = textOf(doubtCard(doubt()).blocks);

    expect(text).toContain('<@U0ANN00001> asked and can tell · until');
    expect(text).toContain('I have not run it again');
    expect(text).toContain('Try again is a new request: it is asked about like any other.');
  });

  it('the card of a lost call says who said what, and what came of it in the words of that person (P44)', () => {
    const texts = everyDoubt().map((each) => textOf(doubtCard(each).blocks));

    expect(texts[2]).toContain('<@U0ANN00001> says that it happened');
    expect(texts[2]).toContain('It runs with 3 pods.');
    expect(texts[3]).toContain('<@U0ANN00001> chose not to repeat it');
    expect(texts[4]).toContain('<@U0ANN00001> asked for it once more');
    expect(texts[5]).toContain('The call finished after all');
  });
});
