import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANN } from '../../sandbox/people.ts';
import { cardIn, mention, type RunningBot, reply, type Stage } from '../support/bot.ts';
import { stageOn } from '../support/engines.ts';

const LOGIN = 'login-77aa01-of-ours';

let stage: Stage;
let bot: RunningBot;
beforeEach(async () => {
  stage = await stageOn('sqlite');
  bot = await stage.startBot({ env: { COUNTERSIGN_CONFIG: 'test/scenarios/failing-tools.config.ts' } });
});
afterEach(() => stage.close());

/** The lines of the log about calls of this tool, without their times. */
function linesAbout(tool: string): readonly unknown[] {
  const lines = bot.log().split('\n');
  const parsed = lines.filter((line) => line.startsWith('{')).map((line): Record<string, unknown> => JSON.parse(line));
  return parsed.filter((line) => line.tool === tool).map(({ time: _, ...line }) => line);
}

async function callOf(tool: string) {
  stage.sandbox.model.next(
    { content: [{ type: 'tool_use', id: 'toolu_1', name: tool, input: { login: LOGIN } }] },
    'I see.',
  );
  return mention(stage, ANN, 'try it');
}

const ofTheCall = (tool: string) => ({ run: expect.stringMatching(/^\d\dr/), call: '1/toolu_1', tool });

describe('the log of the bot', () => {
  it('has one line for a tool that throws, and one for what the tool logs, each without the secret (MF-9)', async () => {
    await reply(stage, await callOf('throws'), 'I see.');

    expect(linesAbout('throws')).toEqual([
      {
        level: 'info',
        message: 'A tool logs a line.',
        ...ofTheCall('throws'),
        said: expect.stringMatching(/^I try \[hidden.*\]\.$/),
      },
      {
        level: 'warn',
        message: 'A tool failed.',
        ...ofTheCall('throws'),
        part: 'run',
        cause: expect.stringMatching(/^RangeError: No such login: \[hidden.*\]\n +at /),
      },
    ]);
    expect(bot.log()).not.toContain(LOGIN);
  });

  it('has one line for a tool that reaches its time limit (MF-9)', async () => {
    await callOf('never_ends');
    await expect.poll(() => linesAbout('never_ends').length).toBeGreaterThan(0);

    expect(linesAbout('never_ends')).toEqual([
      {
        level: 'warn',
        message: 'A tool failed.',
        ...ofTheCall('never_ends'),
        part: 'run',
        cause: expect.stringContaining('never_ends was not done after 0.2 s'),
      },
    ]);
  });

  it('has one line for a preview that fails and one for a summary that fails (MF-9)', async () => {
    const root = await callOf('cannot_be_described');
    await stage.world.press(ANN, await cardIn(stage, root), 'approval_approve');
    await reply(stage, root, 'I see.');

    const line = { level: 'warn', message: 'A tool failed.', ...ofTheCall('cannot_be_described') };
    const lines = linesAbout('cannot_be_described');
    expect(lines).toHaveLength(2);
    expect(lines).toContainEqual({
      ...line,
      part: 'summarise',
      cause: expect.stringContaining('TypeError: No summary today.'),
    });
    expect(lines).toContainEqual({
      ...line,
      part: 'preview',
      cause: expect.stringMatching(/^Error: No preview for \[hidden/),
    });
    expect(bot.log()).not.toContain(LOGIN);
  });

  it('has one line for a preview that is no text, and people are asked without it (MF-9)', async () => {
    const root = await callOf('previews_a_number');
    const card = await cardIn(stage, root);
    await stage.world.press(ANN, card, 'approval_approve');
    await reply(stage, root, 'I see.');

    expect(JSON.stringify(card.blocks)).toContain('There is no preview: the tool could not make one.');
    expect(linesAbout('previews_a_number')).toEqual([
      {
        level: 'warn',
        message: 'A tool failed.',
        ...ofTheCall('previews_a_number'),
        part: 'preview',
        cause: expect.stringContaining('TypeError: It gave no text.'),
      },
    ]);
  });

  it('has one line for a precondition that cannot be looked at (MF-9)', async () => {
    await reply(stage, await callOf('cannot_look'), 'I see.');

    expect(linesAbout('cannot_look')).toEqual([
      {
        level: 'warn',
        message: 'A tool failed.',
        ...ofTheCall('cannot_look'),
        part: 'precondition',
        cause: expect.stringContaining('Error: The service does not answer.'),
      },
    ]);
  });
});
