import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkConfig } from '../../../app/config/check.ts';
import { liveTable, openTools } from '../../../app/config/open-tools.ts';
import { silentLog } from '../../../app/log.ts';
import { createPinsJournal } from '../../../app/recorder/index.ts';
import { defineTool, type Tool } from '../../../app/tools/index.ts';
import { startHttpToolServer } from '../../support/mcp-server.ts';
import { createModelStore } from '../../support/model-store.ts';
import { testTimers } from '../../support/timers.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const tool = (name: string): Tool => defineTool({ name, description: 'Does it.', input: z.object({}), run: () => '' });

async function open(config: object, mcp?: object) {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-open-'));
  ends.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const toolServers = mcp === undefined ? undefined : join(dataDir, 'mcp.json');
  if (toolServers !== undefined) writeFileSync(toolServers, JSON.stringify(mcp));
  const time = testTimers();
  const tools = await openTools({
    config: { ...checkConfig(config, { now: () => 0 }), toolServers },
    env: {},
    pinsJournal: createPinsJournal({ store: createModelStore(time), entryId: () => randomUUID() }),
    dataDir,
    log: silentLog,
    clock: time,
    timers: time,
  });
  ends.push(tools.close);
  return tools;
}

describe('the tools of a running bot', () => {
  it('are those of the configuration and those that servers list, under one policy', async () => {
    const server = await startHttpToolServer([{ name: 'echo' }]);
    ends.push(server.stop);
    const policy = {
      issues__echo: { effect: 'open', because: 'It repeats.' },
      deploy: { effect: 'guarded', approvers: ['U0BEN'] },
    };

    const { table } = await open({ tools: [tool('deploy')], policy }, { mcpServers: { issues: { url: server.url } } });

    expect(table.find('issues__echo')?.effect).toBe('open');
    expect(table.find('deploy')?.effect).toBe('guarded');
  });

  it('are described with the address of their server, and without its login and keys (EDGE-2)', async () => {
    const server = await startHttpToolServer([{ name: 'echo' }]);
    ends.push(server.stop);
    const url = `${server.url}?key=hunter2`;

    const { servers } = await open({}, { mcpServers: { issues: { url, headers: { Authorization: 'hunter2' } } } });

    expect(servers).toEqual([`issues: ${server.url}`]);
  });

  it('have no policy for a server that does not exist', async () => {
    const policy = { issues__echo: { effect: 'guarded', approvers: ['U0BEN'] } };

    await expect(open({ policy })).rejects.toThrow('The policy names issues__echo, and there are no tool servers');
  });

  it('are looked up at that moment, and a later tool never replaces an earlier one', () => {
    let later: readonly Tool[] = [];
    const mine = tool('deploy');
    const own = [mine];
    const table = liveTable([() => own, () => later], silentLog);
    expect(table.all).toEqual([mine]);

    later = [{ ...tool('deploy'), origin: 'a server' }, tool('other')];

    expect(table.find('deploy')).toBe(mine);
    expect(table.find('other')?.name).toBe('other');
    later = [];
    expect(table.find('other')).toBeUndefined();
  });
});
