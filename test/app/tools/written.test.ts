import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkConfig } from '../../../app/config/check.ts';
import { ConfigSchema } from '../../../app/config/shape.ts';
import { defineTool } from '../../../app/index.ts';

const said = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
const ofConfig = (config: unknown): string => said(() => checkConfig(config, { now: () => 0 }));

describe('a mistake in the configuration', () => {
  it.each([
    ['a key with a slip', { polcy: {} }, 'polcy is not a setting. Did you mean policy? Correct it, or remove it.'],
    [
      'a key with exchanged letters',
      { limits: { perRun: { crads: 3 } } },
      'limits.perRun.crads is not a setting. Did you mean cards? Correct it, or remove it.',
    ],
    [
      'a key that is like no other',
      { limits: { perRun: { whales: 3 } } },
      'limits.perRun.whales is not a setting. Here can be: calls, cards, cost, tokens, minutes.',
    ],
    [
      'two unknown keys',
      { limits: { perRun: { crads: 3, callz: 4 } } },
      'limits.perRun.crads is not a setting. Did you mean cards? Correct it, or remove it; ' +
        'limits.perRun.callz is not a setting. Did you mean calls? Correct it, or remove it.',
    ],
    [
      'approvers as one text',
      { policy: { current_time: { approvers: 'U0BEN00001' } } },
      "policy.current_time.approvers must be a list of Slack ids, such as ['U012ABCDE'], or a function that gives one.",
    ],
    [
      'a number among approvers',
      { policy: { current_time: { approvers: ['U0BEN00001', 3] } } },
      "policy.current_time.approvers[1] is not the Slack id of a person (U…) or a user group (S…), nor 'requester' or " +
        "'channel'. Copy it from the profile.",
    ],
    [
      'a number as the channel of a rule',
      { rules: [{ name: 'Ops', effect: 'ask', channel: 3 }] },
      'rules[0].channel must be the Slack id of a channel (C…), or a list of them.',
    ],
    ['a policy as text', { policy: 'strict' }, 'policy must be an object: { … }.'],
    ['a reason as a number', { policy: { current_time: { because: 3 } } }, 'policy.current_time.because must be text.'],
    [
      'trust without an end',
      { policy: { fetch_page: { trust: { match: 'any', scope: 'thread' } } } },
      'policy.fetch_page.trust.forMs is missing: it must be a number.',
    ],
  ])('says what is expected: %s', (_what, config, message) => {
    expect(ofConfig(config)).toBe(message);
  });

  it('says of a tool without a description what to write', () => {
    const bare = { name: 'restart', input: z.object({}), run: () => '' };

    // @ts-expect-error A description is missing, as in a file without types.
    expect(said(() => defineTool(bare))).toBe(
      'Tool "restart" cannot be used: description is missing: say in a sentence what the tool does.',
    );
  });

  it('never says it in the words of the schema, whatever stands where', () => {
    const odd = [3, -1, 0.5, Number.NaN, '', 'x', null, true, [], ['x'], [3], [{}], {}, { x: 1 }, () => '', 1e12];
    const sentences = [
      ...places().flatMap((place) => odd.map((value) => ofConfig(place(value)))),
      ...TOOL_KEYS.flatMap((key) => odd.map((value) => said(() => defineTool({ ...TOOL, [key]: value })))),
    ].filter((each) => each !== '');

    expect(sentences.length).toBeGreaterThan(500);
    expect(
      sentences.filter((each) => /Invalid|expected|received|Unrecognized|Too (?:small|big)|undefined/.test(each)),
    ).toEqual([]);
    expect(sentences.filter((each) => !/[^.]\.$/.test(each))).toEqual([]);
  });
});

const TOOL = { name: 'restart', description: 'Restarts.', input: z.object({}), run: () => '' };
const TOOL_KEYS = [
  ...['name', 'description', 'input', 'run', 'effect', 'because', 'idempotent', 'timeoutMs', 'summarise', 'preview'],
  ...['precondition', 'trust', 'approvers', 'selfApproval', 'quorum', 'stages', 'secondFactor', 'neverHide', 'other'],
];

/** Puts a value into each place of a configuration. */
function places(): readonly ((value: unknown) => unknown)[] {
  const deep: Readonly<Record<string, readonly string[]>> = {
    limits: ['turnsPerRun', 'toolCallsPerTurn', 'perRun', 'perThread', 'perTool', 'x'],
    times: ['hotMs', 'approvalLifetimeMs', 'afterDenialMs', 'x'],
    model: ['name', 'maxTokens', 'thinking', 'prices', 'webSearch', 'x'],
    redact: ['keys', 'patterns', 'x'],
    signOn: ['header', 'people', 'x'],
    retention: ['afterMs', 'folder', 'x'],
  };
  const policy = [
    ...['effect', 'because', 'approvers', 'selfApproval', 'quorum', 'stages', 'trust', 'secondFactor'],
    ...['expireAfterMs', 'remindAfterMs', 'escalateAfterMs', 'escalateTo', 'x'],
  ];
  const rule = ['name', 'effect', 'tool', 'server', 'channel', 'requester', 'when', 'because', 'shadow', 'stages', 'x'];
  return [
    ...[...Object.keys(ConfigSchema.shape), 'x'].map((key) => (value: unknown) => ({ [key]: value })),
    ...Object.entries(deep).flatMap(([key, keys]) =>
      keys.map((inner) => (value: unknown) => ({ [key]: { [inner]: value } })),
    ),
    (value) => ({ limits: { perRun: { cards: value } } }),
    (value) => ({ policy: { fetch_page: { stages: [{ approvers: value }] } } }),
    (value) => ({ policy: { fetch_page: { trust: { match: value, scope: value, forMs: value, uses: value } } } }),
    ...policy.map((key) => (value: unknown) => ({ policy: { fetch_page: { [key]: value } } })),
    ...rule.map((key) => (value: unknown) => ({ rules: [{ name: 'Ops', effect: 'ask', [key]: value }] })),
  ];
}
