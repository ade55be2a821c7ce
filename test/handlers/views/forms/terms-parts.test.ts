import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { termsModal, WIDER } from '../../../../handlers/views/forms/terms-modal.ts';
import { partsOf } from '../../../../handlers/views/forms/terms-parts.ts';
import { runsOf } from '../../../support/amount.ts';
import { expectToFit } from '../fits.ts';
import { hostileText } from '../hostile.ts';
import { FORM_MEMORY } from '../inquiries.ts';
import { pending } from '../records.ts';

const parts = (input: unknown, hides?: readonly string[]) =>
  partsOf(pending({ input: JSON.stringify(input), ...(hides === undefined ? {} : { hides }) })).map(({ text }) => text);

describe('the parts of an input that a trust can be bound to', () => {
  it('the parts of an input are named with their values', () => {
    expect(parts({ service: 'payments', replicas: 3, dry: true, note: null })).toEqual([
      'service "payments"',
      'replicas 3',
      'dry true',
      'note null',
    ]);
  });

  it('only parts of an input that can be shown whole are offered', () => {
    const long = 'x'.repeat(80);
    expect(parts({ service: 'payments', long, list: [1], nested: { a: 1 }, unseen: 'a\u200bb' })).toEqual([
      'service "payments"',
    ]);
  });

  it('a part whose accents are signs of their own is not offered, because it looks like another part (T11)', () => {
    expect(parts({ café: 1, 'cafe\u0301': 2, service: 'payments' })).toEqual(['café 1', 'service "payments"']);
  });

  it('an input with one part, or with something hidden, offers no parts', () => {
    expect(parts({ service: 'payments' })).toEqual([]);
    expect(parts(['payments', 'search'])).toEqual([]);
    expect(parts({ service: 'payments', password: '‹hidden›' }, ['password'])).toEqual([]);
  });

  it('the parts of an input fit, whatever is in it (P20)', () => {
    fc.assert(
      fc.property(fc.dictionary(hostileText, hostileText, { maxKeys: 30 }), (input) => {
        expectToFit(termsModal(pending({ input: JSON.stringify(input) }), FORM_MEMORY, WIDER));
      }),
      { numRuns: runsOf(40) },
    );
  });
});
