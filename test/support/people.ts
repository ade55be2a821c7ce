import type { People } from '../../app/authority/people.ts';

/** Slack's answers where each person is a member of the workspace and of every channel, and there are no groups. */
export const MEMBERS: People = {
  account: async () => 'person',
  isInGroup: async () => false,
  isInChannel: async () => true,
  members: async () => undefined,
};
