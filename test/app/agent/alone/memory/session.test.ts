import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFileSession } from '../../../../../app/agent/alone/memory/file-session.ts';
import { createMemorySession, type SessionManager } from '../../../../../app/agent/alone/memory/session.ts';
import type { SessionEntry } from '../../../../../app/agent/alone/memory/session-entry.ts';
import {
  type Handler,
  HumanInTheLoop,
  InterventionError,
  type Json,
  listTrust,
  proceed,
  revokeAllTrust,
} from '../../../../../interventions/index.ts';
import { agent, reply } from '../../../../support/agent.ts';
import { call, says, scriptedModel, witness } from '../../../../support/scripted-model.ts';

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sessions-'));
});
afterAll(() => rm(directory, { recursive: true }));

const said = (text: string): SessionEntry => ({ type: 'message', message: says(text) });
const fileOf = (sessionId: string) => join(directory, sessionId, 'agent.jsonl');

describe.each([
  ['in memory', () => createMemorySession()],
  ['in a file', () => createFileSession({ directory, sessionId: 'contract' })],
])('a session %s', (_where, create) => {
  it('gives back what was appended, in order, and only what is new', async () => {
    const session = create();

    expect(await session.load('agent', 0)).toEqual({ version: 0, entries: [] });
    expect(await session.append('agent', 0, [said('a'), said('b')])).toBe('appended');
    expect(await session.append('agent', 1, [said('c')])).toBe('appended');
    expect(await session.load('agent', 0)).toEqual({ version: 2, entries: [said('a'), said('b'), said('c')] });
    expect(await session.load('agent', 1)).toEqual({ version: 2, entries: [said('c')] });
    expect(await session.load('other', 0)).toEqual({ version: 0, entries: [] });
  });

  it('says that an input is nested too deeply to be stored, and goes on without it (BEY-40)', async () => {
    const deep = Array.from({ length: 5_000 }).reduce<Json>((inner) => ({ a: inner }), 1);
    const tool = witness('t');
    const model = scriptedModel([call('t', deep)], 'Done.');
    const one = agent({ id: 'deep', model, tools: [tool], sessionManager: create() });

    const failure: unknown = await one.invoke('go').catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(InterventionError);
    expect(failure).toHaveProperty('message', expect.stringContaining('nested too deeply'));
    expect(tool.runs).toEqual([]);
    expect(await one.invoke('again')).toMatchObject({ stopReason: 'endTurn' });
  });

  it('refuses a writer that does not know the newest version, and keeps nothing of it', async () => {
    const session = create();
    const { version, entries } = await session.load('agent', 0);

    expect(await session.append('agent', version, [said('first')])).toBe('appended');
    expect(await session.append('agent', version, [said('late')])).toBe('conflict');
    expect(await session.append('agent', version + 2, [said('early')])).toBe('conflict');
    expect(await session.load('agent', 0)).toEqual({ version: version + 1, entries: [...entries, said('first')] });
  });
});

describe('a session in a file', () => {
  it('lets one of many writers win, and shows all of them the same entries', async () => {
    const writers = Array.from({ length: 8 }, () => createFileSession({ directory, sessionId: 'race' }));
    for (let version = 0; version < 10; version += 1) {
      const ends = await Promise.all(
        writers.map((writer, index) => writer.append('agent', version, [said(`${version}-${index}`)])),
      );
      expect(ends.filter((end) => end === 'appended')).toHaveLength(1);
      expect(ends.filter((end) => end === 'conflict')).toHaveLength(7);
    }
    const seen = await Promise.all(writers.map((writer) => writer.load('agent', 0)));

    expect(new Set(seen.map((loaded) => JSON.stringify(loaded))).size).toBe(1);
    expect(seen[0]?.entries).toHaveLength(10);
  });

  it('survives a torn last line, even one cut inside a character', async () => {
    const first = createFileSession({ directory, sessionId: 'torn' });
    await first.append('agent', 0, [said('kept')]);
    await appendFile(fileOf('torn'), Buffer.from('\n{"v":1,"number":2,"entries":["é', 'utf8').subarray(0, -1));
    const second = createFileSession({ directory, sessionId: 'torn' });

    expect(await second.load('agent', 0)).toEqual({ version: 1, entries: [said('kept')] });
    expect(await second.append('agent', 1, [said('més')])).toBe('appended');
    expect(await second.append('agent', 2, [said('more')])).toBe('appended');
    expect(await first.load('agent', 1)).toEqual({ version: 3, entries: [said('més'), said('more')] });
  });

  it('reports a line that is missing or newer than this program', async () => {
    const session = createFileSession({ directory, sessionId: 'damaged' });
    for (const [version, text] of ['a', 'b', 'c'].entries()) await session.append('agent', version, [said(text)]);
    const lines = (await readFile(fileOf('damaged'), 'utf8')).split('\n').filter((line) => line !== '');
    await writeFile(fileOf('damaged'), `${lines[0]}\n${lines[2]}\n`);
    const lacking = createFileSession({ directory, sessionId: 'damaged' }).load('agent', 0);
    await expect(lacking).rejects.toThrow('lacks the line with number 2');

    await writeFile(fileOf('damaged'), `${lines[0]?.replace('"v":1', '"v":2')}\n`);
    const newer = createFileSession({ directory, sessionId: 'damaged' }).load('agent', 0);
    await expect(newer).rejects.toThrow('newer version');
  });

  it('makes the folders above its file, and says at once that it cannot make one', async () => {
    const inNew = createFileSession({ directory: join(directory, 'new', 'er'), sessionId: 'deep' });
    expect(await inNew.append('agent', 0, [said('one')])).toBe('appended');

    const inSystem = createFileSession({ directory: '/proc/nope', sessionId: 'deep' });
    await expect(inSystem.append('agent', 0, [said('one')])).rejects.toThrow('mkdir');
  });

  it('only ever adds to its file', async () => {
    const session = createFileSession({ directory, sessionId: 'growing' });
    let before = '';
    for (let version = 0; version < 5; version += 1) {
      await session.append('agent', version, [said(`text ${version}`)]);
      const after = await readFile(fileOf('growing'), 'utf8');
      expect(after.startsWith(before)).toBe(true);
      expect(after.slice(before.length)).not.toContain(`text ${version - 1}`);
      before = after;
    }
  });

  it.each(['../up', 'a/b', 'a\\b', '', '.', '..', 'a\u0000b'])(
    'refuses an id that leads outside its folder: %j',
    async (id) => {
      expect(() => createFileSession({ directory, sessionId: id })).toThrow('could lead to another place');
      await expect(createFileSession({ directory, sessionId: 'ids' }).load(id, 0)).rejects.toThrow('another place');
    },
  );
});

describe('trust that is revoked while a session stores that it was given', () => {
  it('stays revoked in the next process (BEY-21)', async () => {
    const inner = createFileSession({ directory, sessionId: 'revoked' });
    let afterTrust = () => {};
    const sessionManager: SessionManager = {
      load: inner.load,
      append: async (id, version, entries) => {
        const end = await inner.append(id, version, entries);
        if (entries.some(({ type }) => type === 'kept')) afterTrust();
        return end;
      },
    };
    const deploy = witness('deploy');
    const options = { tools: [deploy], sessionManager, interventions: [new HumanInTheLoop({ enableTrust: true })] };
    const first = agent({ ...options, model: scriptedModel([call('deploy')], 'Done.') });
    const { interrupts } = await first.invoke('go');
    afterTrust = () => {
      afterTrust = () => {};
      revokeAllTrust(first.appState);
    };
    await first.invoke([reply(interrupts[0], 't')]);
    const next = agent({ ...options, model: scriptedModel([call('deploy', {}, 'again')]) });

    expect((await next.invoke('again')).interrupts).toHaveLength(1);
    expect(listTrust(next.appState)).toEqual([]);
    expect(deploy.runs).toHaveLength(1);
  });
});

describe('trust that is revoked between invocations', () => {
  it('stays revoked when another process has used it meanwhile (BEY-21)', async () => {
    const sessionManager = createMemorySession();
    const deploy = witness('deploy');
    const options = { tools: [deploy], sessionManager, interventions: [new HumanInTheLoop({ enableTrust: true })] };
    const here = agent({ ...options, model: scriptedModel([call('deploy')], 'Done.', [call('deploy', {}, 'third')]) });
    const { interrupts } = await here.invoke('go');
    await here.invoke([reply(interrupts[0], 't')]);
    await agent({ ...options, model: scriptedModel([call('deploy', {}, 'second')], 'Done.') }).invoke('again');
    revokeAllTrust(here.appState);
    const { interrupts: asked } = await here.invoke('once more');

    expect(deploy.runs).toHaveLength(2);
    expect(asked).toHaveLength(1);
    expect(listTrust(here.appState)).toEqual([]);
  });

  it('is what another process revoked, for one that was too late (BEY-21)', async () => {
    const sessionManager = createMemorySession();
    const deploy = witness('deploy');
    const gate = () => new HumanInTheLoop({ enableTrust: true });
    const there = agent({ sessionManager, tools: [deploy], interventions: [gate()], model: scriptedModel('Done.') });
    let meanwhile: (() => Promise<unknown>) | undefined;
    const late: Handler = {
      name: 'late',
      beforeToolCall: async () => {
        await meanwhile?.();
        return proceed();
      },
    };
    const model = scriptedModel([call('deploy')], 'Done.', [call('deploy', {}, 'b')], [call('deploy', {}, 'c')]);
    const here = agent({ sessionManager, tools: [deploy], interventions: [gate(), late], model });
    const { interrupts } = await here.invoke('go');
    await here.invoke([reply(interrupts[0], 't')]);
    meanwhile = async () => {
      meanwhile = undefined;
      await there.initialize();
      revokeAllTrust(there.appState);
      await there.invoke('stop trusting').catch(() => {});
    };
    await expect(here.invoke('again')).rejects.toThrow('Another process has gone on');
    const { interrupts: asked } = await here.invoke('once more');

    expect(deploy.runs).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });
});

describe('a value that a session could not store', () => {
  it('is stored with what comes next', async () => {
    const inner = createMemorySession();
    let fails = false;
    const sessionManager: SessionManager = {
      load: inner.load,
      append: async (...what) => {
        if (fails) throw new Error('The disk is full.');
        return inner.append(...what);
      },
    };
    const first = agent({ sessionManager, model: scriptedModel('Done.', 'Done.') });
    await first.invoke('go');
    first.appState.set('colour', 'red');
    fails = true;
    await expect(first.invoke('again')).rejects.toThrow('The disk is full.');
    fails = false;
    await first.invoke('again');
    const next = agent({ sessionManager, model: scriptedModel() });
    await next.initialize();

    expect(next.appState.get('colour')).toBe('red');
  });
});
