import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  HumanInTheLoop,
  type HumanInTheLoopOptions,
  SteeringHandler,
  type TrustTerms,
  type Warning,
} from '../../../../interventions/index.ts';
import { agent } from '../../../support/agent.ts';
import { call, scriptedModel, witness } from '../../../support/scripted-model.ts';

const TOOLS = () => [witness('read_file'), witness('delete_file')];
const later = () => ({ loadTools: async () => TOOLS() });

/** An agent behind one gate, and what its owner hears. */
function gated(options: HumanInTheLoopOptions, parts: Partial<Parameters<typeof agent>[0]> = {}) {
  const warnings: Warning[] = [];
  const made = agent({
    model: scriptedModel([call('read_file')], 'Done.', 'Done again.'),
    tools: TOOLS(),
    interventions: [new HumanInTheLoop(options)],
    warn: (warning) => void warnings.push(warning),
    ...parts,
  });
  return { made, warnings, messages: () => warnings.map(({ message }) => message) };
}

describe('the tools that a gate names', () => {
  it('refuses to build an agent whose gate guards a name that no tool has (MF-14)', () => {
    expect(() => gated({ allowedTools: ['*', '!delte_file'] })).toThrow(
      'allowedTools names delte_file, and the agent has no such tool. Check the spelling; its tools are: read_file, delete_file.',
    );
  });

  it('refuses to build an agent whose gate opens a name that no tool has (MF-14)', () => {
    expect(() => gated({ allowedTools: ['raed_file'] })).toThrow('allowedTools names raed_file');
    expect(() => gated({ allowedTools: ['raed_file'] }, { tools: [] })).toThrow('its tools are: none');
  });

  it('builds an agent whose gate names its tools, a family of names and everything (MF-14)', async () => {
    const { made, warnings } = gated({ allowedTools: ['*', '!delete_file', { startsWith: 'github__' }] });
    await made.invoke('go');

    expect(warnings).toEqual([]);
  });

  it.each([
    ['a provider', { tools: [later()] }],
    ['a folder', { tools: [], loadToolsFromDirectory: async () => TOOLS() }],
  ])('warns once of a name that no tool has when the tools come later, from %s (MF-14)', async (_what, parts) => {
    const { made, warnings } = gated({ allowedTools: ['*', '!delte_file'] }, parts);
    await made.invoke('go');
    await made.invoke('once more');

    const message = 'allowedTools names delte_file, and no tool is called that. Check the spelling.';
    expect(warnings).toEqual([{ handler: 'countersign:human-in-the-loop', event: 'initialized', message }]);
  });
});

describe('a misspelt option', () => {
  const misspelt = (options: object): object => options;

  it('of an agent is refused, because it could have been the gate (MF-14)', () => {
    const interventionsOf = misspelt({ intervention: [new HumanInTheLoop()] });

    expect(() => agent({ model: scriptedModel('Done.'), ...interventionsOf })).toThrow(
      /^Agent has no option intervention\. Check the spelling; its options are: model, .*interventions, /,
    );
  });

  it('of a gate is refused, because it could have said who may approve (MF-14)', () => {
    expect(() => new HumanInTheLoop(misspelt({ approvers: ['ann'] }))).toThrow(
      /^HumanInTheLoop has no option approvers\. Check the spelling; its options are: allowedTools, .*ruleFor, /,
    );
  });

  it('of the terms of trust is refused, because it could have bounded the trust (MF-14)', () => {
    expect(() => new HumanInTheLoop({ enableTrust: misspelt({ maxUse: 2 }) })).toThrow(
      'enableTrust has no option maxUse. Check the spelling; its options are: scope, forMs, maxUses, input, policyVersion.',
    );
  });
});

describe('an option that could not be kept', () => {
  it.each<[TrustTerms, string]>([
    [{ scope: 'invocation', maxUses: 1 }, 'invocation cannot keep maxUses'],
    [{ scope: 'invocation', forMs: 60_000 }, 'invocation cannot keep forMs'],
    [
      { scope: 'session', forMs: 1, maxUses: 1, input: 'exact', policyVersion: '2' },
      'session cannot keep forMs, maxUses, input, policyVersion',
    ],
    [{ forMs: Number.POSITIVE_INFINITY }, 'enableTrust has forMs: Infinity. Give a finite number'],
    [{ maxUses: Number.NaN }, 'enableTrust has maxUses: NaN. Give a finite number'],
    [JSON.parse('{ "scope": "thread" }'), 'enableTrust has the scope thread, and the scopes are: invocation, session,'],
  ])('is refused in the terms of trust: %j (MF-14)', (enableTrust, problem) => {
    expect(() => new HumanInTheLoop({ enableTrust })).toThrow(problem);
  });

  it.each<TrustTerms>([
    { scope: 'session', forMs: null, input: 'any' },
    { scope: 'invocation', forMs: null, input: 'exact', policyVersion: '2' },
    { forMs: 0, maxUses: 0, input: 'exact', policyVersion: '2' },
  ])('is none of these terms of trust: %j (MF-14)', (enableTrust) => {
    expect(() => new HumanInTheLoop({ enableTrust })).not.toThrow();
  });

  it('is a time without end for a question, which a session would store as no time at all (MF-14)', () => {
    expect(() => new HumanInTheLoop({ expiresAfterMs: Number.POSITIVE_INFINITY })).toThrow(
      'expiresAfterMs is Infinity. Give a finite number, or leave it out',
    );
  });

  it.each<[object, string]>([
    [{ expiresAfterMs: Number.NaN }, 'expiresAfterMs is NaN. Give a finite number, or leave it out'],
    [{ askTimeoutMs: '5' }, 'askTimeoutMs is 5. Give a finite number, or leave it out'],
    [{ refusalsPerTool: Number.NaN }, 'refusalsPerTool is NaN. Give a number, or leave it out'],
    [{ previewCharacters: 'all' }, 'previewCharacters is all. Give a number, or leave it out'],
    [{ reactions: { denied: null } }, 'to denied is null. Use { type:'],
    [{ enableTrust: null }, 'enableTrust takes an object with options, and got null'],
  ])('is refused by a gate with a sentence: %j (MF-14)', (options, says) => {
    expect(() => new HumanInTheLoop(options)).toThrow(ConfigurationError);
    expect(() => new HumanInTheLoop(options)).toThrow(says);
  });

  it('is no object at all, as a sentence (MF-14)', () => {
    // @ts-expect-error no options
    expect(() => new HumanInTheLoop(null)).toThrow('HumanInTheLoop takes an object with options, and got null.');
  });
});

describe('the warnings of a handler', () => {
  it('tells the owner of the agent what is odd about the options of a gate (MF-14)', async () => {
    const { made, messages } = gated({ allowedTools: ['read_file', '!read_file'] }, { model: scriptedModel('Hello.') });
    await made.invoke('go');

    expect(messages()).toEqual(['allowedTools holds read_file and !read_file; it is always asked about. Remove one.']);
  });

  it('tells the owner of the agent that the classifier of a gate failed (MF-14)', async () => {
    const { made, messages } = gated({
      classifier: () => {
        throw new Error('no idea');
      },
    });
    await made.invoke('go');

    expect(messages()).toEqual(['The classifier failed on read_file, so a person is asked: Error: no idea']);
  });

  it('tells the owner of the agent that a steering handler could not judge an answer (MF-14)', async () => {
    class Failing extends SteeringHandler {
      override steerAfterModel(): never {
        throw new Error('confused');
      }
    }
    const { made, warnings } = gated({}, { model: scriptedModel('Hello.'), interventions: [new Failing()] });
    await made.invoke('go');

    expect(warnings).toMatchObject([{ handler: 'countersign:steering', event: 'afterModelCall' }]);
  });

  it('records a warning of a handler in the audit of the agent (MF-14)', async () => {
    const kinds: string[] = [];
    const { made } = gated(
      { allowedTools: ['read_file', '!read_file'] },
      { model: scriptedModel('Hello.'), audit: (record) => void kinds.push(record.kind) },
    );
    await made.invoke('go');

    expect(kinds).toContain('warning');
  });
});
