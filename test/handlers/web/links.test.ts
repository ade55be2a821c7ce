import { describe, expect, it } from 'vitest';
import { createLinks } from '../../../handlers/web/links.ts';
import { APPROVAL, BEN } from '../views/records.ts';

const made = (now: () => number = () => 0, key = 'k') =>
  createLinks({ key: Buffer.from(key), publicUrl: 'https://bot.example.com/', now });
const claim = { approval: APPROVAL, user: BEN, team: 'T1', digest: 'd1' };
const tokenOf = (url: string): string => new URL(url).searchParams.get('link') ?? '';

describe('a link to decide (T9)', () => {
  it('a link names the person and the call it was made for, and is good where it was signed', () => {
    const link = made().issue(claim);

    expect(link.startsWith('https://bot.example.com/decide?link=')).toBe(true);
    expect(made().open(tokenOf(link))).toMatchObject({ type: 'good', claim });
    expect(made(undefined, 'other').open(tokenOf(link))).toEqual({ type: 'forged' });
  });

  it('a link with one changed letter is forged', () => {
    const token = tokenOf(made().issue(claim));
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      expect(made().open(changed).type, `changed at ${at}`).toBe('forged');
    }
    for (const text of ['', '.', 'a.b', `${token}.x`, 'null.null']) expect(made().open(text).type).toBe('forged');
  });

  it('a link is over after some minutes', () => {
    let now = 0;
    const links = made(() => now);
    const token = tokenOf(links.issue(claim));
    now = 11 * 60_000;

    expect(links.open(token)).toEqual({ type: 'late' });
  });

  it('a link decides nothing by itself: only the form of the page that it opens can (P13)', () => {
    const links = made();
    const token = tokenOf(links.issue(claim));
    const opened = links.open(token);

    expect(links.submit(token)).toEqual({ type: 'forged' });
    const form = opened.type === 'good' ? links.form({ ...opened.claim, use: 'decide' }) : '';
    expect(links.submit(form)).toMatchObject({ type: 'good', claim });
    expect(links.open(form)).toEqual({ type: 'forged' });
  });
});
