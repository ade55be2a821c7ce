import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KNOWN_METHODS } from '../../handlers/sender/rates.ts';
import { BOT, type Door, openDoor, type SlackApi, slackApi } from '../support/slack.ts';
import { type Parts, parts } from './parts.ts';
import { ANN, THREAD } from './views/records.ts';

const ORG = 'E0ACME0001';
const TEAM = 'T0ACME0001';

let api: SlackApi;
let door: Door;
let bot: Parts;

beforeEach(async () => {
  api = slackApi();
  const us = { team_id: TEAM, user_id: BOT, enterprise_id: ORG, is_enterprise_install: true };
  api.next('auth.test', { type: 'json', body: us });
  bot = parts();
  door = await openDoor(bot);
});
afterEach(() => door.slack.stop());

describe('a thread of an organisation (P10)', () => {
  const { channel, ts } = THREAD;
  const common = { user: { id: ANN, team_id: TEAM }, team: { id: TEAM, enterprise_id: ORG }, trigger_id: 't' };

  it('a thread carries its organisation, and the workspace that its message was written in', async () => {
    const text = `<@${BOT}> restart payments`;
    await door.event({ type: 'app_mention', channel, user: ANN, ts, text }, undefined, { team_id: 'T0SECOND01' });

    expect(bot.asked.taken.map(({ thread }) => thread)).toEqual([{ team: ORG, channel, ts, workspace: 'T0SECOND01' }]);
  });

  it('a thread carries both as well where a person asked about a message', async () => {
    const memory = { channel, threadTs: ts, text: 'Payments is down.' };
    const values = { question: { question: { type: 'plain_text_input', value: 'Why?' } } };
    await door.press({
      type: 'view_submission',
      ...common,
      view: { id: 'V1', callback_id: 'ask_about_message', private_metadata: JSON.stringify(memory), state: { values } },
    });
    await api.until(() => bot.asked.taken.length > 0);

    expect(bot.asked.taken.map(({ thread }) => thread)).toEqual([{ team: ORG, channel, ts, workspace: TEAM }]);
  });
});

it('no other method that we know wants a workspace to be named, by the types of its library (P10)', () => {
  const folder = 'node_modules/@slack/web-api/dist/types/request';
  const types = readdirSync(folder)
    .filter((name) => name.endsWith('.d.ts'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split(/^export /m))
    .filter((text) => text.includes('OptionalTeamAssignable'));
  const wants = (method: string) => {
    const name = method.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());
    return types.some((text) => new RegExp(`^(?:interface|type) ${name}Arguments\\b`).test(text));
  };

  expect(types.length).toBeGreaterThan(20);
  expect(KNOWN_METHODS.filter(wants).sort()).toEqual(['usergroups.list', 'usergroups.users.list', 'users.list']);
});
