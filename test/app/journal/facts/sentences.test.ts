import { expect, it } from 'vitest';
import { sentenceOf } from '../../../../app/journal/facts/sentences.ts';
import { entriesOf, recordedJournals } from '../../../support/recorded.ts';

const said = recordedJournals().flatMap((journal) =>
  entriesOf(journal).map((entry) => ({ type: entry.type, sentence: sentenceOf(entry, 'the_tool') })),
);

it('each entry that a release wrote has a whole sentence (DEMO-3)', () => {
  expect(said.filter(({ sentence }) => !/^[A-Zt][^\n]*[.]$/.test(sentence) || /undefined/.test(sentence))).toEqual([]);
});

it('a question of any kind is asked, shown, drawn anew and ended in its own words (DEMO-3)', () => {
  const of = (type: string) => new Set(said.filter((one) => one.type === type).map(({ sentence }) => sentence));

  expect(of('doubt-posted')).toEqual(new Set(['The card of the question (did this happen?) is in the thread.']));
  expect(of('doubt-painted')).toEqual(new Set(['The card of the question (did this happen?) was drawn anew.']));
  expect(
    [...of('doubt-settled')].every((sentence) => sentence.startsWith('The question (did this happen?) ended: ')),
  ).toBe(true);
  expect(
    [...of('doubt-asked')].every((sentence) =>
      /^A question \(did this happen\?\) about \w+ is asked\.$/.test(sentence),
    ),
  ).toBe(true);
});
