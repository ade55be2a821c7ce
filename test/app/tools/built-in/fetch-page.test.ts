import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchListedPage, fetchPage } from '../../../../app/tools/built-in/fetch-page.ts';
import { isPublicAddress } from '../../../../app/tools/built-in/web/address.ts';
import { readableText } from '../../../../app/tools/built-in/web/readable-text.ts';
import { runTool, type Tool } from '../../../../app/tools/index.ts';
import { startWeb } from '../../../support/web.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function webOf(...args: Parameters<typeof startWeb>) {
  const web = await startWeb(...args);
  ends.push(web.stop);
  return web;
}
const run = (tool: Tool, url: string) => runTool(tool, { url }, { signal: new AbortController().signal, key: 'r/1' });

describe('fetch_page', () => {
  it('asks for every host, and one press of trust covers one address (P41, T15)', () => {
    expect(fetchPage()).toMatchObject({ effect: 'asked', trust: { match: 'exact' }, origin: 'built in' });
  });

  it('returns the text of a page, and sends no data of ours with the request', async () => {
    const { web, sent } = await webOf({
      'https://example.com/a?b=c': { body: '<h1>Hello</h1><script>no()</script><p>Tom &amp; Ana</p>' },
    });

    expect(await run(fetchPage(web), 'https://example.com/a?b=c')).toEqual({
      type: 'succeeded',
      output: 'https://example.com/a?b=c says:\n\n# Hello\n\nTom & Ana',
    });
    expect(Object.keys(sent[0] ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });

  it('connects to the very address that was checked, and looks the name up once for each page (T15)', async () => {
    const { web, dialled, lookedUp } = await webOf({ 'https://example.com/': { body: 'x' } });

    await run(fetchPage(web), 'https://example.com/');

    expect(lookedUp).toEqual(['example.com']);
    expect(dialled).toEqual(['93.184.216.34']);
  });

  it.each([
    ['a private address', ['10.0.0.1']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['this computer, among others', ['93.184.216.34', '127.0.0.1']],
    ['this computer, in long form', ['::1']],
    ['a short address inside a long one', ['::ffff:10.0.0.1']],
    ['no address', []],
  ])('never connects to a name that leads to %s (T15)', async (_what, addresses) => {
    const { web, dialled } = await webOf({ 'https://example.com/': { body: 'secret' } }, { 'example.com': addresses });

    expect(await run(fetchPage(web), 'https://example.com/')).toMatchObject({
      type: 'failed',
      output: expect.stringContaining('part of the public internet'),
    });
    expect(dialled).toEqual([]);
  });

  it.each([
    'http://example.com/',
    'https://example.com:8443/',
    'https://ana:secret@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://metadata/',
    'file:///etc/passwd',
    'example.com',
  ])('refuses %s before any person is asked', (url) => {
    expect(fetchPage().parse({ url })).toMatchObject({ ok: false });
  });

  it('follows a redirect on the same host, and reports one that leads elsewhere', async () => {
    const { web, dialled } = await webOf({
      'https://example.com/old': { status: 301, headers: { location: '/new' } },
      'https://example.com/new': { status: 302, headers: { location: 'https://other.example.com/?q=all' } },
      'https://other.example.com/?q=all': { body: 'not asked for' },
    });

    expect(await run(fetchPage(web), 'https://example.com/old')).toMatchObject({
      type: 'succeeded',
      output: expect.stringContaining('https://other.example.com/?q=all, which was not asked for'),
    });
    expect(dialled).toHaveLength(2);
  });

  it.each([
    ['to plain http', 'http://example.com/'],
    ['to a number', 'https://169.254.169.254/latest'],
    ['for ever', '/'],
  ])('fails on a redirect %s', async (_what, location) => {
    const { web } = await webOf({ 'https://example.com/': { status: 302, headers: { location } } });

    expect(await run(fetchPage(web), 'https://example.com/')).toMatchObject({ type: 'failed' });
  });

  it('cuts a long page, even one that is long only after it is unpacked', async () => {
    const body = gzipSync('x'.repeat(50_000_000));
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    const { web } = await webOf({ 'https://example.com/': { headers, body } });

    const got = await run(fetchPage(web), 'https://example.com/');

    expect(got).toMatchObject({ type: 'succeeded' });
    expect(JSON.stringify(got).length).toBeLessThan(21_000);
  });

  it('reads a page in its own character set, and refuses what is not text', async () => {
    const { web } = await webOf({
      'https://example.com/latin': {
        headers: { 'content-type': 'text/plain; charset=ISO-8859-1' },
        body: Buffer.from([0x63, 0x61, 0x66, 0xe9]),
      },
      'https://example.com/film': { headers: { 'content-type': 'video/mp4' }, body: 'x' },
    });

    expect(await run(fetchPage(web), 'https://example.com/latin')).toMatchObject({
      output: expect.stringMatching(/café$/),
    });
    expect(await run(fetchPage(web), 'https://example.com/film')).toMatchObject({ type: 'failed' });
    expect(await run(fetchPage(web), 'https://example.com/gone')).toEqual({
      type: 'failed',
      output: 'fetch_page failed: example.com answered with status 404. Check the address',
    });
  });
});

describe('fetch_listed_page', () => {
  it('is open, gives its reason, and takes no host that is not listed (P41, T15)', () => {
    const tool = fetchListedPage(['docs.example.com']);

    expect(tool).toMatchObject({ effect: 'open', because: expect.stringContaining('listed the hosts') });
    expect(tool.parse({ url: 'https://docs.example.com/a' })).toMatchObject({ ok: true });
    for (const url of ['https://example.com/', 'https://a.docs.example.com/', 'https://docs.example.com.evil.com/'])
      expect(tool.parse({ url })).toMatchObject({ ok: false });
  });

  it('follows redirects to listed hosts only', async () => {
    const { web } = await webOf({
      'https://docs.example.com/a': { status: 302, headers: { location: 'https://www.example.com/a' } },
      'https://www.example.com/a': { status: 302, headers: { location: 'https://evil.example.com/' } },
    });

    const got = await run(fetchListedPage(['docs.example.com', 'www.example.com'], web), 'https://docs.example.com/a');

    expect(got).toMatchObject({
      output: expect.stringContaining('https://evil.example.com/, which was not asked for'),
    });
  });
});

describe('an address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1::1', '2a00:1450:4001::64'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.31.0.1', '192.168.1.1', '198.18.0.1'],
    ...[
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:8.8.8.8',
      '64:ff9b::a00:1',
      'fe80::1',
      'fc00::1',
      'ff02::1',
    ],
    ...['2001::1', '2001:db8::1', '2002:a00:1::', 'fec0::1', 'not an address', '1.2.3', 'fe80::1%eth0'],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('the readable text of a page', () => {
  it('keeps the main text and drops the rest', () => {
    const html = `<!doctype html><html><head><title>A &lt;page&gt;</title><style>p{}</style></head>
      <body><!-- <p>hidden</p> --><h2>Part</h2><p>One<br>two &#x1f600; &#8211; a < b</p>
      <ul><li>first</li><li><a href="/go?a=1&amp;b=2">second</a></li></ul>
      <table><tr><td>a</td><td>b</td></tr></table><svg><text>no</text></svg><script>"</p>"</script>end</body></html>`;

    expect(readableText(html)).toBe(
      'A <page>\n\n## Part\n\nOne\ntwo 😀 – a < b\n\n- first\n- second (/go?a=1&b=2)\n\na | b |\n\nend',
    );
  });

  it('keeps a name as it is that no character has, also one that every object of JavaScript has', () => {
    expect(readableText('<p>&toString; &valueOf; &nothing; &lt;</p>')).toBe('&toString; &valueOf; &nothing; <');
  });

  it('is found in any text without a failure', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '</',
      '<script',
      '</script>',
      '<!--',
      '-->',
      '&',
      '&#',
      ';',
      '<a href=',
      '"',
      'x',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (all) => typeof readableText(all.join('')) === 'string'),
    );
  });

  it.each(['<', '<script>', '<a href="', '<!--', '&#1', '<p', '\n \n'])(
    'takes time in proportion to the length for %j',
    (piece) => {
      expect(readableText(piece.repeat(400_000))).toBeDefined();
    },
  );

  it.each([
    ['<b>', 50_000],
    ['< ', 50_000],
    ['\n', 500_000],
    ['&lt;', 125_000],
  ])('is read up to 50,000 tags and 500,000 characters, and says where it is cut: %j (EDGE-7, T20)', (part, most) => {
    expect(readableText(`${part.repeat(most - 5)}end`)).toMatch(/end$/);

    const cut = readableText(`${part.repeat(most + 5)}end`);
    expect(cut).toMatch(/\[cut here: the page is longer\]$/);
    expect(cut).not.toContain('end');
  });
});
