import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN, BOT } from '../../sandbox/people.ts';
import { audit } from '../support/audit.ts';
import { cardIn, mention, type RunningBot, reply, type Stage, says } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';
import { storedOn } from '../support/stored.ts';

const CANARY = 'canary-5bd1e9-of-ours';
/** What the tool returns and writes into the log, and what a person types as the reason of a no. */
const RETURNED = 'EMP-654321';
const TYPED = 'EMP-777777';
const KEY = randomBytes(32).toString('base64');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

let stage: Stage;
let outside: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'countersign-canary-'));
});
afterEach(async () => {
  await stage?.close();
  rmSync(outside, { recursive: true });
});

const read = (name: string): string =>
  existsSync(join(outside, name)) ? readFileSync(join(outside, name), 'utf8') : '';

/** The model wants to keep a login with the canary in it; the message of the person says nothing of it. */
const conversations = [
  {
    example: 'keep the login',
    begins: (said: string) => /\bkeep the login\b/.test(said),
    play: ({ results: [result] }: { readonly results: readonly { readonly text: string }[] }) =>
      result === undefined
        ? {
            content: [
              { type: 'text' as const, text: 'I keep it for you.' },
              {
                type: 'tool_use' as const,
                name: 'keep_login',
                input: { place: 'mail', value: CANARY, note: `EMP-123456 has ${CANARY.length} letters` },
              },
            ],
          }
        : `It said: ${result.text.replace(RETURNED, '…')}`,
  },
];

const startBot = (): Promise<RunningBot> =>
  stage.startBot({
    env: {
      COUNTERSIGN_CONFIG: 'test/scenarios/secretive.config.ts',
      DATA_KEY: KEY,
      SPANS_FILE: join(outside, 'spans.jsonl'),
      WITNESS_FILE: join(outside, 'witness.jsonl'),
    },
  });

/** What the model was told of its calls; its own question, which it has written itself, stands beside it. */
function toldTheModel(): string {
  const bodies = stage.sandbox.model.requests.map((request) => JSON.stringify(request));
  return bodies.flatMap((body) => body.match(/"tool_result".*?\}\]/g) ?? []).join('\n');
}

describe.each(ENGINES)('a secret in an input (%s) (T16)', (engine) => {
  it('appears on no card and in no form, log, span, refusal, export or store, and reaches the tool', async () => {
    stage = await stageOn(engine, { sandbox: { conversations } });
    const bot = await startBot();
    const root = await mention(stage, ANN, 'keep the login');
    const card = await cardIn(stage, root);
    expect(says(card, /Keep \[hidden [0-9a-f]{10}\] for mail/)).toBe(true);
    expect(says(card, /Nobody has \[hidden/)).toBe(true);
    expect(says(card, 'EMP-')).toBe(false);
    expect(says(card, 'Hidden: note, value.')).toBe(true);

    // Read in full, edited with the secret left where it is, and run.
    await stage.world.press(ANN, card, 'approval_view');
    await stage.world.until(() => /hidden/.test(JSON.stringify(stage.world.views(ANN))));
    await stage.world.press(ANN, card, 'approval_more', { option: 'Edit input…' });
    const form = await stage.world.until(() =>
      stage.world.views(ANN).find(({ content }) => content.submit !== undefined),
    );
    const [, mark = ''] = /"initial_value":"(\[hidden \w+\])"/.exec(JSON.stringify(form.content)) ?? [];
    const views = JSON.stringify(stage.world.views(ANN));
    const submitted = await stage.world.submit(ANN, form, {
      'field-0': 'mail',
      'field-1': mark,
      'field-2': 'as is',
    });
    expect(submitted.result).toEqual({ type: 'closed' });
    await reply(stage, root, 'Kept.');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Ran in'));
    expect(read('witness.jsonl')).toBe(`${JSON.stringify({ digest: hash(CANARY), note: 'as is' })}\n`);

    // Once more, and refused.
    const second = await mention(stage, ANN, 'keep the login');
    const again = await cardIn(stage, second);
    await stage.world.press(ANN, again, 'approval_more', { option: 'Deny with a reason…' });
    const why = await stage.world.until(() =>
      stage.world.views(ANN).find(({ content }) => content.callback_id === 'approval_deny_reason'),
    );
    await stage.world.submit(ANN, why, { reason: `Not ${CANARY}, and not ${TYPED}.` });
    await reply(stage, second, 'It said:');
    await stage.world.until(() => says(stage.world.message(again) ?? again, /“Not \[hidden/));
    await bot.stop();

    const env = stage.redisUrl === undefined ? { DATA_DIR: stage.dataDir } : { REDIS_URL: stage.redisUrl };
    const exported = await audit({ ...env, DATA_KEY: KEY }, 'export', '--inputs');
    const verified = await audit({ ...env, DATA_KEY: KEY }, 'verify');
    const unkeyed = await audit(env, 'verify');
    expect(verified).toMatchObject({ code: 0, out: '' });
    expect(unkeyed).toMatchObject({ code: 0, out: '' });
    expect(unkeyed.err).toContain('Set DATA_KEY to check');

    const messages = [root, second].flatMap((one) => stage.world.messages(one)).filter(({ user }) => user === BOT);
    const places = {
      cards: JSON.stringify([messages, stage.world.ephemerals(ANN)]),
      forms: views,
      log: bot.log(),
      spans: read('spans.jsonl'),
      model: toldTheModel(),
      export: exported.out,
      audit: verified.err + unkeyed.err,
      store: await storedOn(stage),
    };
    for (const [name, text] of Object.entries(places)) {
      expect(text.length, `${name} has something in it`).toBeGreaterThan(20);
      for (const secret of [CANARY, 'EMP-123456', TYPED, ...(name === 'model' ? [] : [RETURNED])])
        expect(text.includes(secret), `${name} holds ${secret}`).toBe(false);
    }
    // What a tool returns is for the model, as it is.
    expect(places.model).toContain(RETURNED);
    expect(JSON.stringify(stage.sandbox.model.requests)).toContain(CANARY);
  });
});

/** The model keeps the login that a person names, and hears how it came out. */
const named = {
  example: 'keep the login <name>',
  begins: (said: string) => /\bkeep the login \w/.test(said),
  play: ({
    said,
    results: [result],
  }: {
    readonly said: string;
    readonly results: readonly { readonly text: string }[];
  }) =>
    result === undefined
      ? {
          content: [
            {
              type: 'tool_use' as const,
              name: 'keep_login',
              input: { place: 'mail', value: `${said.split(' ').at(-1)}-of-ours`, note: 'as is' },
            },
          ],
        }
      : `It said: ${result.text}`,
};

describe('a secret in an input', () => {
  it('is left out of later lines of the log, whichever call they are about (T16)', async () => {
    stage = await stageOn('sqlite', { sandbox: { conversations: [named] } });
    const bot = await startBot();
    for (const name of ['canary-1c7', 'other-2d8']) {
      const root = await mention(stage, ANN, `keep the login ${name}`);
      await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
      await reply(stage, root, 'It said: Kept.');
    }
    await bot.stop();

    // The tool says the secret of the first call while it works on the second.
    expect(bot.log()).toContain('Before it was [hidden]');
    expect(bot.log()).not.toMatch(/canary-1c7-of-ours|other-2d8-of-ours/);
  });

  it('is hidden in an answer that a person gives in place of the tool (T16)', async () => {
    stage = await stageOn('sqlite', { sandbox: { conversations: [named] } });
    await startBot();
    const root = await mention(stage, ANN, 'keep the login canary-1c7');
    const card = await cardIn(stage, root);
    const [, id = ''] = /"value":"(\d{2}a[\w-]{22})"/.exec(JSON.stringify(card.blocks)) ?? [];

    await stage.world.press(ANN, card, 'approval_more', { option: `answer ${id}` });
    const form = await stage.world.until(() =>
      stage.world.views(ANN).find(({ content }) => content.callback_id === 'approval_answer_form'),
    );
    await stage.world.submit(ANN, form, { answer: `I know canary-1c7-of-ours, and ${TYPED}.` });
    await reply(stage, root, 'It said:');
    await stage.world.until(() => says(stage.world.message(card) ?? card, 'Answered by'));

    const seen = JSON.stringify(stage.world.messages(root).filter(({ user }) => user === BOT)) + toldTheModel();
    expect(seen).toMatch(/I know \[hidden/);
    expect(seen).not.toContain('canary-1c7-of-ours');
    expect(seen).not.toContain(TYPED);
  });
});
