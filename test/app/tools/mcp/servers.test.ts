import { afterEach, describe, expect, it, vi } from 'vitest';
import { definitionHash, runTool } from '../../../../app/tools/index.ts';
import { canonical, type Json } from '../../../../interventions/index.ts';
import { PATIENCE_MS } from '../../../support/patience.ts';
import { connect, endAll, httpServer, start, type Way } from './setup.ts';

// Real programs start here, and a busy computer takes its time over them.
afterEach(endAll);

const ways: readonly Way[] = ['stdio', 'http'];

describe.each(ways)('a tool server over %s', (way) => {
  it('has all its tools listed, under its own name', async () => {
    const { servers } = await start(way, [{ name: 'echo', description: 'Says it again.' }, { name: 'list issues' }]);

    expect(servers.tools().map(({ name, effect, origin }) => [name, effect, origin])).toEqual([
      ['test__echo', 'asked', 'test'],
      [expect.stringMatching(/^test__list_issues_[0-9a-f]{8}$/), 'asked', 'test'],
    ]);
  });

  it('is called with exactly the input, and its answer is the result', async () => {
    const { run } = await start(way, [{ name: 'echo' }]);

    expect(await run('echo', { text: 'hello' })).toEqual({
      type: 'succeeded',
      output: [{ type: 'text', text: 'echo {"text":"hello"}' }],
    });
  });

  it('gets the numbers of an input as the card shows them, also a negative zero (EDGE-10)', async () => {
    const { tool, run } = await start(way, [{ name: 'echo' }]);
    const asked: Json = JSON.parse('{"a":-0,"b":-1e-400,"deep":[{"c":-0.0}]}');
    const parsed = tool('echo').parse(asked);
    if (!parsed.ok) throw new Error(parsed.problem);

    expect(await run('echo', parsed.input)).toMatchObject({
      output: [{ type: 'text', text: `echo ${canonical(parsed.input)}` }],
    });
  });

  it('can report an error in its result, or refuse: both fail in its words', async () => {
    const { run } = await start(way, [{ name: 'fail' }, { name: 'refuse' }]);

    expect(await run('fail')).toEqual({ type: 'failed', output: 'test__fail failed: the disk is full' });
    expect(await run('refuse')).toMatchObject({
      type: 'failed',
      output: expect.stringMatching(/ answered with an error: no such report/),
    });
  });

  it('can answer with every kind of content', async () => {
    const { run } = await start(way, [{ name: 'kinds' }, { name: 'structured' }]);

    expect(await run('kinds')).toEqual({
      type: 'succeeded',
      output: [
        { type: 'text', text: 'a picture:' },
        { type: 'image', mediaType: 'image/png', base64: 'aGVsbG8=' },
        { type: 'text', text: '[left out: audio as audio/mpeg]' },
        { type: 'text', text: 'The report: https://example.com/report' },
        { type: 'text', text: 'file:///notes.txt:\nnoted' },
        { type: 'document', mediaType: 'application/pdf', base64: 'aGVsbG8=' },
        { type: 'text', text: '{\n  "open": 3\n}' },
      ],
    });
    expect(await run('structured')).toEqual({
      type: 'succeeded',
      output: [{ type: 'text', text: '{ "open": 3 }' }],
    });
  });

  it('has a long result cut, and a result that would fill the memory refused', async () => {
    const { run } = await start(way, [{ name: 'long' }, { name: 'huge' }]);

    expect(JSON.stringify(await run('long')).length).toBeLessThan(21_000);
    expect(await run('huge')).toMatchObject({ type: 'abandoned' });
  });

  it('hears when its list is wanted again, and offers its current tools', async () => {
    const { servers, change, time } = await start(way, [{ name: 'echo' }]);
    const changed = new Promise<void>((resolve) => servers.onChange(resolve));

    await change([{ name: 'echo' }, { name: 'late' }]);
    await vi.waitFor(async () => {
      time.advance(1_000);
      await Promise.race([changed, new Promise((_, reject) => setTimeout(reject, 50))]);
    }, PATIENCE_MS);

    expect(servers.tools().map(({ name }) => name)).toEqual(['test__echo', 'test__late']);
  });

  it('that hangs is told to stop, and the outcome of its call is unknown, with its time limit (EDGE-3)', async () => {
    const { tool, time } = await start(way, [{ name: 'hang' }]);
    const stop = new AbortController();
    const options = { signal: stop.signal, key: 'r/1', timeoutMs: 600_000, graceMs: 5_000 };

    const stopped = runTool(tool('hang'), {}, options);
    await settled();
    stop.abort();
    expect(await stopped).toMatchObject({ type: 'abandoned' });

    const late = runTool(tool('hang'), {}, { ...options, signal: new AbortController().signal });
    await settled();
    time.advance(60_000);
    expect(await late).toMatchObject({
      type: 'abandoned',
      limitMs: 60_000,
      output: expect.stringContaining('not done after 60 s and was told to stop'),
    });
  });
});

/** Long enough for a call to leave; if it has not, it is stopped before it began, and the tests above say so. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 300));

describe('a call that is stopped', () => {
  it('is cancelled at the server', async () => {
    const server = await httpServer([{ name: 'hang' }]);
    const { tool } = await connect({ url: server.url });
    const stop = new AbortController();

    const run = runTool(tool('hang'), {}, { signal: stop.signal, key: 'r/1', graceMs: 5_000 });
    await vi.waitFor(() => expect(server.calls).toHaveLength(1), PATIENCE_MS);
    stop.abort();

    await server.cancelled;
    expect(await run).toMatchObject({ type: 'abandoned' });
  });
});

describe('a tool server that dies', () => {
  it('leaves its call unknown, has its tools answer with an error, and is back after a retry', async () => {
    const { run, time, logged, servers } = await start('stdio', [{ name: 'die' }, { name: 'echo' }]);

    expect(await run('die')).toMatchObject({
      type: 'abandoned',
      cause: 'lost',
      output: expect.stringContaining('was lost while the call ran. Whether it had an effect is not known'),
    });
    expect(servers.tools()).toHaveLength(2);
    expect(await run('echo')).toMatchObject({
      type: 'failed',
      output: expect.stringMatching(/the tool server test is away \(it ended the connection\)\. Nothing was sent/),
    });
    expect(logged).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ server: 'test' }) }),
    );

    time.advance(1_500);
    await vi.waitFor(async () => expect(await run('echo')).toMatchObject({ type: 'succeeded' }), PATIENCE_MS);
  });

  it('over HTTP is found out by a ping, and served again when it is back', async () => {
    const server = await httpServer([{ name: 'echo' }]);
    const { run, time, logged } = await connect({ url: server.url });

    await server.stop();
    time.advance(30_000);
    await vi.waitFor(
      () => expect(logged.map(({ message }) => message)).toContainEqual(expect.stringContaining('is away')),
      PATIENCE_MS,
    );
    expect(await run('echo')).toMatchObject({ type: 'failed', output: expect.stringContaining('Nothing was sent') });

    await server.start();
    await vi.waitFor(async () => {
      time.advance(60_000);
      expect(await run('echo')).toMatchObject({ type: 'succeeded' });
    }, PATIENCE_MS);
  });

  it('before the start does not stop the start, and is tried again at growing intervals', async () => {
    const { servers, logged, time } = await connect({ command: '/nowhere/at-all' });
    const waits = () => logged.flatMap(({ fields }) => (typeof fields.waitMs === 'number' ? [fields.waitMs] : []));

    expect(servers.tools()).toEqual([]);
    for (const count of [2, 3, 4, 5, 6, 7, 8, 9]) {
      time.advance(60_000);
      await vi.waitFor(() => expect(waits()).toHaveLength(count), PATIENCE_MS);
    }

    expect(waits()).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  it('over HTTP that cannot be reached is logged with the code of the failure, and not only as failed', async () => {
    const server = await httpServer([{ name: 'echo' }]);
    await server.stop();

    const { logged } = await connect({ url: server.url });

    expect(logged.flatMap(({ fields }) => fields.why ?? [])).toEqual(['fetch failed (ECONNREFUSED)']);
  });

  it('before a restart of the bot still has the tools it last had', async () => {
    const server = await httpServer([{ name: 'echo' }]);
    const before = await connect({ url: server.url });
    const hash = definitionHash(before.tool('echo'));

    await server.stop();
    const after = await before.again();

    expect(definitionHash(after.tool('echo'))).toBe(hash);
    expect(await after.run('echo')).toMatchObject({ type: 'failed', output: expect.stringContaining('is away') });
  });
});

describe('a tool server', () => {
  it('as a program gets nothing of the environment of the bot but what every program needs', async () => {
    vi.stubEnv('SLACK_BOT_TOKEN', 'xoxb-canary');
    const { run } = await start('stdio', [{ name: 'environment' }]);
    vi.unstubAllEnvs();

    const seen = JSON.stringify(await run('environment'));

    expect(seen).toContain('GIVEN');
    expect(seen).not.toContain('SLACK_BOT_TOKEN');
  });

  it('over HTTP gets the headers of the file, with their variables', async () => {
    const server = await httpServer([{ name: 'echo' }]);
    await connect({ url: server.url, headers: { Authorization: `Bearer \${TOKEN}` } }, undefined, {
      env: { TOKEN: 't-1' },
    });

    expect(server.headers[0]?.authorization).toBe('Bearer t-1');
  });

  it('has a tool left out and logged when its list names it twice or the model would not accept it', async () => {
    const schema = (properties: object) => ({ type: 'object', properties });
    const { servers, logged } = await start('http', [
      { name: 'twice' },
      { name: 'good', inputSchema: { anyOf: [{ required: ['a'] }, { required: ['b'] }], ...schema({ a: {}, b: {} }) } },
      { name: 'twice', description: 'Another one.' },
      { name: 'list', inputSchema: { type: 'array' } },
      { name: 'odd', inputSchema: schema({ 'a key': {} }) },
      { name: 'broken', inputSchema: schema({ a: { type: 'no-type' } }) },
      { name: 'big', description: 'x'.repeat(30_000) },
    ]);

    expect(servers.tools().map(({ name }) => name)).toEqual(['test__good']);
    expect(servers.tools()[0]?.inputSchema).toEqual(schema({ a: {}, b: {} }));
    expect(servers.tools()[0]?.parse({ c: 1 })).toMatchObject({ ok: false });
    const out = logged.flatMap(({ message, fields }) => (message.includes('left out') ? [fields.tool] : []));
    expect(new Set(out)).toEqual(new Set(['test__twice', 'list', 'odd', 'broken', 'big']));
  });

  it('with a pattern that never ends blocks no other work', async () => {
    const inputSchema = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    const { tool } = await start('http', [{ name: 'echo', inputSchema }]);

    expect(tool('echo').parse({ text: `${'a'.repeat(60)}!` })).toMatchObject({ ok: true });
    expect(tool('echo').parse({ text: 1 })).toEqual({ ok: false, problem: expect.stringContaining('must be string') });
  });

  it('has its program closed when the bot stops', async () => {
    const { servers, run } = await start('stdio', [{ name: 'echo' }]);
    await servers.close();

    expect(await run('echo')).toMatchObject({ type: 'failed', output: expect.stringContaining('is stopping') });
  });
});
