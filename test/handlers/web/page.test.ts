import { describe, expect, it } from 'vitest';
import { shownInSteps } from '../../../handlers/views/kit/input-text.ts';
import { alreadyDecided } from '../../../handlers/views/words/answers.ts';
import { PAGE_HEADERS, questionPageInSteps, sentencePage, withoutMarkup } from '../../../handlers/web/page.ts';
import { HOSTILE } from '../../../sandbox/model/hostile.ts';
import { questionPage } from '../../support/drawn-at-once.ts';
import { approved, BEN, guarded, ZOE } from '../views/records.ts';

const HTML = '</pre><script>alert(1)</script><img src=x onerror=alert(1)>"\'&';

describe('the page for a decision', () => {
  it.each([HTML, HOSTILE])('the page for a decision shows the text of others as nothing but text (T2, P27)', (text) => {
    const asked = guarded({
      summary: text,
      reason: text,
      preview: text,
      was: text,
      precondition: { text, digest: 'p' },
      input: JSON.stringify({ text }),
      hides: [text],
      undeclared: [{ name: text, by: 'name', chars: 3 }],
    });
    const html = questionPage(asked, text);

    expect(html).not.toMatch(/<(script|img|a|iframe|link)\b/i);
    expect(html.match(/<form/g)).toHaveLength(1);
    expect(html.match(/<input/g)).toHaveLength(1);
    expect(sentencePage('x', text)).not.toMatch(/<(script|img)\b/i);
  });

  it('the page for a decision shows all of the input, however long (T2, P25)', () => {
    const html = questionPage(guarded({ input: JSON.stringify({ text: `${'x'.repeat(50_000)}end` }) }), 'form');

    expect(html).toContain('xend');
  });

  it('the page for a decision gives other work turns while it makes signs visible, and more while it writes HTML (EDGE-7)', () => {
    const input = JSON.stringify({ text: '<'.repeat(400_000) });
    const turns = (drawing: Generator<void, unknown>) => {
      for (let count = 0; ; count += 1) if (drawing.next().done === true) return count;
    };
    const page = turns(questionPageInSteps(guarded({ input }), 'form'));

    expect(page - turns(shownInSteps(input))).toBeGreaterThanOrEqual(input.length / 100_000);
  });

  it('the page for a decision says what it hides that the tool does not declare secret, and why (MF-7)', () => {
    const undeclared = [{ name: 'url', by: 'pattern', chars: 8 }] as const;

    expect(questionPage(guarded({ hides: ['url'], undeclared }), 'form')).toContain(
      'url (looks like a secret, 8 characters)',
    );
  });

  it('the page for a decision says how things are now and what would change, each under its own label (SURF-1)', () => {
    const shows = (changes: Parameters<typeof guarded>[0]) => questionPage(guarded(changes), 'form');
    const now = '<h2>Right now</h2><p class="said">degraded</p>';
    const change = '<h2>Would change</h2><p class="said">down for a minute</p>';

    expect(shows({ precondition: { text: 'degraded', digest: 'p' } })).toContain(now);
    expect(shows({ precondition: { text: 'degraded', digest: 'p' } })).not.toContain('Would change');
    expect(shows({ preview: 'down for a minute' })).toContain(change);
    expect(shows({ preview: 'down for a minute' })).not.toContain('Right now');
    const was = shows({ preview: 'down for a minute', was: 'up', precondition: { text: 'degraded', digest: 'p' } });
    for (const part of [now, change, 'because this has changed. It was</h2><p class="said">up</p>'])
      expect(was).toContain(part);
  });

  it('the page for a decision says where several people have to say yes, and who has (SURF-1)', () => {
    const progress = { yeses: [{ by: BEN, atMs: 0 }], stage: 1, stages: 1, given: 1, needed: 2, approvers: [BEN, ZOE] };
    const names = new Map([
      [BEN, '@ben'],
      [ZOE, '@zoe'],
    ]);

    expect(questionPage(guarded({ progress }), 'form', names)).toContain(
      '<p>@ben and @zoe both decide · 1 of 2: yes from @ben</p>',
    );
    expect(questionPage(guarded(), 'form', names)).not.toContain('decide ·');
  });

  it('the page for a decision names the person who asked and the channel, and has their ids where Slack does not name them (SURF-1)', () => {
    const { requester, thread } = guarded();
    const names = new Map([
      [requester, '@ann'],
      [thread.channel, '#<ops>'],
    ]);

    expect(questionPage(guarded(), 'form', names)).toContain(
      `Asked by @ann (${requester}) in #&#60;ops&#62; (${thread.channel}).`,
    );
    expect(questionPage(guarded(), 'form')).toContain(`Asked by ${requester} in ${thread.channel}.`);
  });

  it('the page for a decision names the channel that a message goes to where Slack tells its name (SURF-1)', () => {
    const asked = guarded({ tool: 'post_to_channel', input: '{"channel":"C0GEN00001","text":"Hi"}' });

    expect(questionPage(asked, 'form', new Map([['C0GEN00001', '#<general>']]))).toContain(
      '<p>Channel: #&#60;general&#62; (C0GEN00001)</p>',
    );
    expect(questionPage(asked, 'form')).not.toContain('Channel:');
  });

  it('the page for a decision loads nothing, is not cached, and hides its address from other sites (T15)', () => {
    expect(PAGE_HEADERS).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
    expect(PAGE_HEADERS['content-security-policy']).toContain("default-src 'none'");
  });

  it('the page for a decision says what was decided before in words that need no Slack', () => {
    expect(withoutMarkup(alreadyDecided(approved(), { reader: ZOE }).mrkdwn)).toMatch(
      /^Another person already approved this call of restart_service, \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
    );
  });
});
