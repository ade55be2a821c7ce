import { afterEach, describe, expect, it } from 'vitest';
import { ANN, BOT, OPS } from '../../sandbox/people.ts';
import type { SlackMessage } from '../../sandbox/records.ts';
import { cardIn, mention, reply, type Stage } from '../support/bot.ts';
import { ENGINES, stageOn } from '../support/engines.ts';

let stage: Stage;
afterEach(() => stage?.close());

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n');
const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04, 0, 0, 0, 0]);

const send = (text: string, files: Parameters<Stage['world']['say']>[3], thread?: SlackMessage) =>
  stage.world.say(ANN, OPS, `<@${BOT}> ${text}`, { ...files, ...(thread === undefined ? {} : { thread }) });
const told = () => JSON.stringify(stage.sandbox.model.requests.at(-1)?.body ?? {});
const over = (root: SlackMessage) =>
  stage.world.until(() => stage.world.session(root).status === 'active', { what: 'the end' });
const fetches = () => stage.world.requests.filter(({ method }) => method === 'url_private');

describe.each(ENGINES)('files of a message (%s)', (engine) => {
  it('are shown to the model as pictures, PDFs and texts, by their content', async () => {
    stage = await stageOn(engine);
    await stage.startBot();

    const root = await send('hello, look at these', {
      files: [
        { name: 'shot.txt', content: PNG },
        { name: 'paper.pdf', content: PDF },
        { name: 'notes.md', content: '# Grüße' },
      ],
    });
    await over(root);

    expect(told()).toContain(`"media_type":"image/png","data":"${PNG.toString('base64')}"`);
    expect(told()).toContain(`"media_type":"application/pdf","data":"${PDF.toString('base64')}"`);
    expect(told()).toContain('"media_type":"text/plain","data":"# Grüße"');
    expect(told()).toContain('"title":"notes.md"');
    expect(fetches().every(({ token }) => token === stage.sandbox.botToken)).toBe(true);
  });

  it('are pictures in the smaller size that Slack makes of them where they are too large for the model', async () => {
    stage = await stageOn(engine);
    await stage.startBot();
    const photo = Buffer.concat([PNG, Buffer.alloc(4_000_000)]);

    const root = await send('hello', { files: [{ name: 'photo.png', content: photo, smaller: PNG }] });
    await over(root);

    expect(told()).toContain(`"media_type":"image/png","data":"${PNG.toString('base64')}"`);
  });

  it('are fetched once and stay in the conversation, even after a restart', async () => {
    stage = await stageOn(engine);
    const bot = await stage.startBot();
    const root = await send('hello', { files: [{ name: 'shot.png', content: PNG }] });
    await over(root);
    await bot.kill();

    await stage.startBot();
    await stage.world.say(ANN, OPS, 'hello again', { thread: root });
    await stage.world.until(() => stage.sandbox.model.requests.length === 2);

    expect(told()).toContain(PNG.toString('base64'));
    expect(fetches()).toHaveLength(1);
  });
});

describe('a thread that begins with a file', () => {
  it.each([
    ['the words beside it', 'hello, look at these', 'hello, look at these'],
    ['the name of the file where there are no words', '', 'notes.md'],
  ])('is called %s', async (_what, words, title) => {
    stage = await stageOn('sqlite');
    await stage.startBot();

    const root = await send(words, { files: [{ name: 'notes.md', content: '# Grüße' }] });
    await over(root);

    expect(stage.world.session(root).title).toBe(title);
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['of another kind', { name: 'all.zip', content: ZIP }, 'all.zip is of a kind that I cannot read'],
    ['that is too large', { name: 'big.txt', content: 'x'.repeat(400_001) }, 'big.txt is too large'],
    ['with nothing in it', { name: 'void.txt', content: '' }, 'void.txt is empty'],
  ])('%s is named to the model and to the person, and the rest goes on', async (_what, file, words) => {
    stage = await stageOn('sqlite');
    await stage.startBot();

    const root = await send('hello', { files: [file, { name: 'notes.txt', content: 'Remember the milk.' }] });
    await reply(stage, root, words);
    await reply(stage, root, 'I can see 0 pictures and 1 document');

    expect(told()).toContain(`[file that you cannot see: ${words}`);
    expect(told()).toContain('Remember the milk.');
  });

  it('is said to need a scope when Slack answers with its login page', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();

    const root = await send('hello', {
      files: [{ name: 'shot.png', content: '<!DOCTYPE html><html>Sign in', mediaType: 'image/png' }],
    });

    await reply(stage, root, 'the app needs the scope files:read');
  });

  it('is tried again when Slack does not answer, and then named', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    stage.world.faults.set('url_private', { type: 'status', status: 500 }, 1);
    const root = await send('hello', { files: [{ name: 'notes.txt', content: 'Remember the milk.' }] });
    await over(root);
    expect(told()).toContain('Remember the milk.');

    stage.world.faults.set('url_private', { type: 'lost' }, 3);
    await send('hello', { files: [{ name: 'notes.txt', content: 'Remember the milk.' }] }, root);
    await reply(stage, root, 'notes.txt could not be fetched from Slack');
  });
});

describe('a picture that the model refuses', () => {
  it('is left out, the model hears so, and the thread goes on (FM1)', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const files = [
      { name: 'broken.png', content: PNG.subarray(0, 40) },
      { name: 'notes.txt', content: 'Remember the milk.' },
    ];

    const root = await send('hello', { files });
    await reply(stage, root, 'I can see 0 pictures and 1 document');
    expect(told()).toContain('[image broken.png left out: the model does not take it]');

    await send('hello', { files: [{ name: 'shot.png', content: PNG }] }, root);
    await reply(stage, root, 'I can see 1 picture');
    expect(told()).toContain('[image broken.png left out');
  });
});

describe('an external file', () => {
  it.each([
    ['in the event', {}],
    ['in the answer of files.info', { stub: true } as const],
  ])(
    'an external file never makes the bot call the API method that its address names %s (MF-1, T15)',
    async (_where, stub) => {
      stage = await stageOn('sqlite');
      await stage.startBot();
      const message = new URLSearchParams({ channel: OPS, text: 'The bot wrote this without a card.' });
      const externalUrl = `${stage.sandbox.slackApiUrl}chat.postMessage?${message}`;

      const root = await send('hello', { files: [{ name: 'notes.txt', content: '', externalUrl, ...stub }] });
      await reply(stage, root, 'lies outside of Slack');

      const texts = stage.world.requests.map(({ arguments: { text } }) => text);
      expect(texts).not.toContain('The bot wrote this without a card.');
    },
  );
});

describe('a hosted file', () => {
  it.each([
    ['the API', 'api/chat.postMessage'],
    ['the API, escaped twice', 'files-pri/..%252Fapi%252Fchat.postMessage'],
  ])('a hosted file whose address is a path of %s gets no token (EDGE-4, T15)', async (_what, path) => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    const message = new URLSearchParams({ channel: OPS, text: 'The bot wrote this without a card.' });
    const hostedUrl = `${new URL(path, new URL('/', stage.sandbox.slackApiUrl))}?${message}`;

    const root = await send('hello', { files: [{ name: 'notes.txt', content: '', hostedUrl }] });
    await reply(stage, root, 'lies outside of Slack');

    const texts = stage.world.requests.map(({ arguments: { text } }) => text);
    expect(texts).not.toContain('The bot wrote this without a card.');
    expect(fetches()).toEqual([]);
  });
});

describe('a message with a file', () => {
  it('needs no words, and its words are for the agent, unless they are stop', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();

    const root = await send('usage', { files: [{ name: 'notes.txt', content: 'hello' }] });
    await over(root);

    expect(told()).toContain('hello');
    const waiting = await mention(stage, ANN, 'restart the payments service');
    await cardIn(stage, waiting);
    await send('stop', { files: [{ name: 'notes.txt', content: 'hello' }] }, waiting);
    await reply(stage, waiting, 'Stopped by');
  });

  it('in a shared channel is looked up when its event says only that a file exists', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();

    const root = await send('hello', { files: [{ name: 'notes.txt', content: 'Remember the milk.', stub: true }] });
    await over(root);

    expect(told()).toContain('Remember the milk.');
  });

  it('that arrives while the agent works is read with it', async () => {
    stage = await stageOn('sqlite');
    await stage.startBot();
    stage.sandbox.model.faults.set('messages', { type: 'slow', delayMs: 1_500 });
    const root = await mention(stage, ANN, 'what is the status?');
    await stage.world.until(() => stage.sandbox.model.requests.length === 1);

    await stage.world.say(ANN, OPS, 'hello', { thread: root, files: [{ name: 'shot.png', content: PNG }] });

    await stage.world.until(() => told().includes(PNG.toString('base64')));
  });
});
