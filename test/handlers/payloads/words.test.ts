import { describe, expect, it } from 'vitest';
import { readCommandWords, readThreadWords } from '../../../handlers/payloads/words.ts';

const HOUR = 3_600_000;

describe('words in a thread', () => {
  it.each([
    ['trust restart_service', { type: 'trust', tool: 'restart_service', scope: undefined, forMs: HOUR }],
    ['Trust restart_service HERE 30m', { type: 'trust', tool: 'restart_service', scope: 'thread', forMs: HOUR / 2 }],
    ['trust deploy 2d me', { type: 'trust', tool: 'deploy', scope: 'requester', forMs: 48 * HOUR }],
    ['trust deploy channel', { type: 'trust', tool: 'deploy', scope: 'channel', forMs: HOUR }],
    ['untrust all', { type: 'untrust', tool: 'all', scope: undefined }],
    ['UNTRUST All', { type: 'untrust', tool: 'all', scope: undefined }],
    ['untrust tickets__listIssues', { type: 'untrust', tool: 'tickets__listIssues', scope: undefined }],
    ['untrust deploy me', { type: 'untrust', tool: 'deploy', scope: 'requester' }],
    ['trusted', { type: 'trusted' }],
    ['approvals', { type: 'approvals' }],
    ['STOP', { type: 'stop' }],
    ['Stop!!', { type: 'stop' }],
    ['stop.', { type: 'stop' }],
    ['`stop`', { type: 'stop' }],
    ['“*Stop!*”', { type: 'stop' }],
    ['„stop“', { type: 'stop' }],
    ['`stop`.', { type: 'stop' }],
    ['\u200estop\u200b', { type: 'stop' }],
    ['stop, <@U0BOT>', { type: 'stop' }],
    ['untrust `deploy`', { type: 'untrust', tool: 'deploy', scope: undefined }],
    ['trust _deploy_ 1h', { type: 'trust', tool: '_deploy_', scope: undefined, forMs: HOUR }],
    ['Usage', { type: 'usage' }],
    ['help', { type: 'help' }],
    ['trust', { type: 'help' }],
    ['untrust', { type: 'help' }],
  ])('the words “%s” in a thread are for the bot', (text, wish) => {
    expect(readThreadWords(text, 'U0BOT')).toEqual(wish);
  });

  it.each([
    'trust me, this is fine',
    'trust me',
    'trust `me`, this is fine',
    'stop <@U0BEN>',
    '~stop~',
    'trust the process',
    'stop the payments service',
    'stop?',
    'help me with the deploy',
    'trusted people say so',
    'usage of the payments service',
    'approvals of last week',
    'yes',
    'approve',
  ])('the words “%s” in a thread are for the agent', (text) => {
    expect(readThreadWords(text)).toBeUndefined();
  });

  it.each([
    'trust drop_database forever',
    'trust drop_database 31d',
    'trust drop_database 0m',
    'trust constructor_x toString',
  ])('the words “%s” in a thread are answered with what is missing', (text) => {
    expect(readThreadWords(text)?.type).toBe('misread');
  });
});

describe('words of a command', () => {
  it('a command without terms is for one hour, wherever its writer may give trust', () => {
    expect(readCommandWords('trust', 'deploy')).toEqual({
      type: 'trust',
      tool: 'deploy',
      scope: undefined,
      forMs: HOUR,
    });
  });

  it.each(['deploy here', 'deploy thread', 'deploy forever', 'deploy 1h 2h', 'deploy me channel', 'me', '<@U1>'])(
    'the command “/trust %s” is not understood, and says so',
    (text) => {
      expect(readCommandWords('trust', text).type).toBe('misread');
    },
  );

  it('a command names its tool to the letter, and its terms in any letters', () => {
    const tool = 'tickets__listIssues';
    expect(readCommandWords('trust', `${tool} Channel 1D`)).toEqual({
      ...{ type: 'trust', tool, scope: 'channel' },
      forMs: 24 * HOUR,
    });
    expect(readCommandWords('untrust', tool)).toEqual({ type: 'untrust', tool, scope: undefined });
    expect(readCommandWords('untrust', 'ALL')).toEqual({ type: 'untrust', tool: 'all', scope: undefined });
  });

  it.each(['', ' ', 'help', 'Help'])('the command “/trust%s” explains itself', (text) => {
    expect(readCommandWords('trust', text)).toEqual({ type: 'help' });
  });

  it('a command that takes trust away takes no time', () => {
    expect(readCommandWords('untrust', 'deploy 1h').type).toBe('misread');
  });
});
