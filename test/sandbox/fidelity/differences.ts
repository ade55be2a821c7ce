/** Where the sandbox and `emulate` 0.12.2 answer differently: what each says, and why the sandbox does as it does. */
export interface Difference {
  readonly sandbox: string;
  readonly emulate: string;
  readonly reason: string;
}

/** By the name of the call. A call without a row is answered alike. */
export const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'the bot asks who it is': {
    sandbox: 'ok (bot_id, is_enterprise_install, team, team_id, url, user, user_id)',
    emulate: 'ok (app_id, bot_id, team, team_id, url, user, user_id)',
    reason:
      'An app has to learn whether a whole organisation installed it. The sandbox plays organisations, emulate none.',
  },
  'an unknown token asks who it is': {
    sandbox: 'invalid_auth',
    emulate: 'ok (team, team_id, url, user, user_id)',
    reason: 'emulate takes any token for its administrator. The sandbox lets an app notice that its token is wrong.',
  },
  'a post with Markdown': {
    sandbox: 'ok (channel, message, ts)',
    emulate: 'no_text',
    reason: 'emulate does not know markdown_text.',
  },
  'a post without a channel': {
    sandbox: 'invalid_arguments',
    emulate: 'channel_not_found',
    reason: 'Slack names the argument that is missing.',
  },
  'a post in a thread that is not there': {
    sandbox: 'thread_not_found',
    emulate: 'ok (channel, message, ts)',
    reason: 'emulate does not look whether the thread is there. The sandbox lets an app notice that it was deleted.',
  },
  'a post with blocks that are none': {
    sandbox: 'invalid_blocks',
    emulate: 'ok (channel, message, ts)',
    reason: 'emulate does not check blocks. Slack does, and so does the sandbox.',
  },
  'a post with metadata that are none': {
    sandbox: 'invalid_metadata_format',
    emulate: 'ok (channel, message, ts)',
    reason: 'emulate takes any object. Slack wants the name of an event and its payload.',
  },
  'an edit without blocks of a post with blocks': {
    sandbox: 'ok (channel, message, text, ts): "section"',
    emulate: 'ok (channel, message, text, ts): undefined',
    reason: 'Slack keeps the blocks of a message until an edit brings others.',
  },
  'an edit that names a person as the channel': {
    sandbox: 'channel_not_found',
    emulate: 'message_not_found',
    reason: 'Both refuse it. To Slack the id of a person is no channel here.',
  },
  'a thread that is not there': {
    sandbox: 'thread_not_found',
    emulate: 'ok (has_more, messages)',
    reason: 'emulate gives an empty thread. Slack refuses, and an app has to tell the one from the other.',
  },
  'a file': {
    sandbox: 'ok (file): ["a.txt","A",3]',
    emulate: 'ok (comments, file, paging): ["a.txt","A",3]',
    reason: 'Comments on files are no longer written, and the sandbox has none to page through.',
  },
  'a modal as a Home tab': {
    sandbox: 'invalid_arguments',
    emulate: 'invalid_view',
    reason: 'Slack has no code invalid_view; it says which argument is wrong.',
  },
  'a pushed modal with none below': {
    sandbox: 'not_found',
    emulate: 'view_not_found',
    reason: 'Slack has no code view_not_found.',
  },
  'a modal without a title': {
    sandbox: 'invalid_arguments',
    emulate: 'invalid_view',
    reason: 'Slack has no code invalid_view; it says which argument is wrong.',
  },
  'a modal with blocks that are none': {
    sandbox: 'invalid_arguments',
    emulate: 'ok (view)',
    reason: 'emulate does not check blocks. Slack does, and so does the sandbox.',
  },
};
