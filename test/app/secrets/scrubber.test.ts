import { describe, expect, it } from 'vitest';
import { createScrubber, secretsOf } from '../../../app/secrets/scrubber.ts';

describe('a line of the log (T16)', () => {
  it('holds no value that was once found to be a secret', () => {
    const { learn, scrub } = createScrubber();
    learn('can"ary 1');

    expect(scrub(JSON.stringify({ error: 'no user can"ary 1' }))).toBe('{"error":"no user [hidden]"}');
    expect(scrub('GET /?q=can%22ary%201')).toBe('GET /?q=[hidden]');
  });

  it('holds none of the secrets of the environment, and no value that marks itself as a secret', () => {
    const { scrub } = createScrubber(
      secretsOf({
        SLACK_BOT_TOKEN: 'bot-token-1',
        DATA_KEY: 'data-key-1',
        ANTHROPIC_API_KEY: 'api-key-1',
        PATH: '/bin-1',
      }),
    );

    expect(scrub('bot-token-1 data-key-1 api-key-1 /bin-1 xoxb-123456789')).toBe(
      '[hidden] [hidden] [hidden] /bin-1 [hidden]',
    );
  });

  it('holds no secret of the environment, also where its variable ends with a line end', () => {
    const { scrub } = createScrubber(secretsOf({ SHOP_API_KEY: 'api-key-1\n' }));

    expect(scrub('the shop refuses api-key-1.')).toBe('the shop refuses [hidden].');
  });

  it('the log shows the folder of the process, which PWD names, and still hides a password (MF-15)', () => {
    const folder = '/Users/Ann/My-Bot.2';
    const env = { PWD: folder, OLDPWD: folder, INIT_CWD: folder, BUILD_PWD: folder, ADMIN_PWD: 'hunter2!' };

    const { scrub } = createScrubber(secretsOf(env));

    expect(scrub(`${folder}/app/main.ts failed with hunter2!`)).toBe(`${folder}/app/main.ts failed with [hidden]`);
  });

  it('holds nothing that looks like a secret to this deployment', () => {
    const { hide, scrub } = createScrubber();
    hide([/EMP-\d{6}/]);

    expect(scrub('EMP-123456 and EMP-654321, not EMP-1')).toBe('[hidden] and [hidden], not EMP-1');
  });

  it.each([
    ['redis://:hunter2-word@redis-1:6379/0', 'redis://:[hidden]@redis-1:6379/0'],
    ['{"headers":{"Authorization":"Basic dXNlcjpwYXNz"}}', '{"headers":{"Authorization":"[hidden]"}}'],
    ['Authorization: Basic dXNlcjpwYXNz', 'Authorization: Basic [hidden]'],
    ['https://hooks.slack.com/services/T00/B00/abc', 'https://hooks.slack.com/[hidden]'],
    ['GET /x?token=abc123def&page=1', 'GET /x?token=[hidden]&page=1'],
    ['{"passwords":["one","two"]}', '{"passwords":[hidden]}'],
    ['{"name":"password","value":"hunter2"}', '{"name":"password","value":"[hidden]"}'],
    ['{\\"name\\":\\"password\\",\\"value\\":\\"hunter2\\"}', '{\\"name\\":\\"password\\",\\"value\\":\\"[hidden]\\"}'],
  ])('hides the secret in %s by the place where it stands (EDGE-7)', (line, shown) => {
    expect(createScrubber().scrub(line)).toBe(shown);
  });

  it.each(['PWD=/srv/countersign/app', '{"path":"/var/lib/countersign"}', '{"tokens":12000,"level":"info"}'])(
    'leaves %s readable (EDGE-7)',
    (line) => {
      expect(createScrubber().scrub(line)).toBe(line);
    },
  );

  it.each(['production', '/srv/countersign', '2026-11-24', '{"level":"info",'])(
    'is not blanked by a call that names %s a secret (EDGE-7)',
    (text) => {
      const { learn, scrub } = createScrubber();
      learn(text);

      expect(scrub(`before ${text} after`)).toBe(`before ${text} after`);
    },
  );

  it('hides the newest secrets, however many there were', () => {
    const { learn, scrub } = createScrubber();
    for (let n = 0; n < 2_000; n += 1) learn(`secret-${n}-end`);

    expect(scrub('secret-1999-end')).toBe('[hidden]');
  });

  it('hides the secrets of the environment, however many others were found since', () => {
    const { learn, scrub } = createScrubber(['signing-secret-1']);
    for (let n = 0; n < 2_000; n += 1) learn(`secret-${n}-end`);

    expect(scrub('refused signing-secret-1')).toBe('refused [hidden]');
  });

  it('stays readable when a secret is short', () => {
    const { learn, scrub } = createScrubber();
    learn('a');

    expect(scrub('a fact')).toBe('a fact');
  });
});
