import { afterEach, beforeEach } from 'vitest';
import { type Door, openDoor, type SlackApi, slackApi } from '../support/slack.ts';
import { type Parts, parts, type World } from './parts.ts';

/** What the test that runs now has: Slack's side, the rest of the bot, and the signed door between the two. */
export let api: SlackApi;
export let bot: Parts;
export let door: Door;

export interface DoorOptions {
  readonly ready?: Parts['ready'];
  /** Stands in front of what knows the workspace of a delivery. */
  readonly workspaces?: Parameters<typeof openDoor>[1];
}

/** Each test of the file gets a Slack of its own, and the door that it opened is closed behind it. */
export function onStage(): void {
  beforeEach(() => {
    api = slackApi();
  });
  afterEach(() => door.slack.stop());
}

export async function start(world: World = {}, { ready, workspaces }: DoorOptions = {}): Promise<void> {
  bot = parts(world);
  door = await openDoor(ready === undefined ? bot : { ...bot, ready }, workspaces);
}
