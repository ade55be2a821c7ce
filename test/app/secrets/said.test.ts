import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../../app/secrets/redaction.ts';
import { createSafeWords } from '../../../app/secrets/said.ts';

const redaction = createRedaction({ settings: { keys: [], patterns: [/EMP-\d{6}/] }, key: new Uint8Array(32) });
const safe = createSafeWords(redaction, () => ({ inputSchema: {} }));
const HIDDEN = '\\[hidden [0-9a-f]{10}\\]';
const FOUND = '\\[hidden [0-9a-f]{10}: 10 characters, E…6\\]';

describe('what a person types about a call (T16)', () => {
  it('holds neither a likely secret nor a value that the input hides', async () => {
    const about = { tool: 'login', input: '{"password":"hunter22","place":"mail"}' };

    const words = await safe.words(about, 'Not hunter22 at mail, says EMP-123456.');

    expect(words).toMatch(new RegExp(`^Not ${HIDDEN} at mail, says ${FOUND}\\.$`));
    // Equal secrets are seen to be equal.
    expect(words).toContain(String(redaction.text('EMP-123456')));
    expect(await safe.words({ tool: 'gone', input: '' }, 'Not today.')).toBe('Not today.');
  });

  it('is still the JSON of its form, with the same fields', async () => {
    const answer = await safe.form('{"type":"object"}', '{"note":"by EMP-123456","token":"abc","when":"Now"}');

    expect(JSON.parse(answer)).toEqual({
      note: expect.stringMatching(new RegExp(`^by ${FOUND}$`)),
      token: expect.stringMatching(new RegExp(`^${HIDDEN}$`)),
      when: 'Now',
    });
    expect(await safe.form('{}', 'no JSON')).toBe('no JSON');
  });
});
