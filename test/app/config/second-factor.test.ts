import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { webSettings } from '../../../app/config/second-factor.ts';
import { applyPolicy } from '../../../app/tools/policy.ts';
import { dropDatabase } from '../../../example/tools/drop-database.ts';
import { restartService } from '../../../example/tools/restart-service.ts';

const tools = [{ name: 'drop', secondFactor: true, approvers: ['U1BEN'] }];
const signOn = { header: 'x-user', people: { ben: 'U1BEN' } };
const whole = {
  publicUrl: 'https://bot.example.com',
  port: 3000,
  dataKeys: [createSecretKey(Buffer.alloc(32))],
  signOnSecret: 'of the proxy',
};
const settings =
  (changes: object, about: object = {}) =>
  () =>
    webSettings({ tools, signOn, environment: { ...whole, ...changes }, ...about });

describe('a tool with a second factor (P35)', () => {
  it('has a page when every setting is there, and no page is made when no tool needs one', () => {
    expect(settings({})()).toMatchObject({
      publicUrl: whole.publicUrl,
      signOn: { ...signOn, secret: 'of the proxy' },
    });
    expect(settings({ publicUrl: undefined }, { tools: [] })()).toBeUndefined();
  });

  it.each([
    ['an address', { publicUrl: undefined }, {}, /drop cannot be decided anywhere: there is no PUBLIC_URL/],
    ['a key', { dataKeys: undefined }, {}, /DATA_KEY/],
    ['a port', { port: undefined }, {}, /PORT/],
    ['a sign-on', {}, { signOn: undefined }, /signOn in the configuration/],
    ['an address without encryption', { publicUrl: 'http://bot.example.com' }, {}, /is not https/],
    ['an approver who can sign on', {}, { signOn: { header: 'x', people: { zoe: 'U1ZOE' } } }, /No approver of drop/],
  ])('stops the start without %s, and says so', (_what, environment, about, problem) => {
    expect(settings(environment, about)).toThrow(problem);
  });

  it('is guarded, so that no trust goes around it (P39)', () => {
    const approvers = ['U0BEN00001'];

    expect(applyPolicy(restartService, { secondFactor: true })).toMatchObject({ ok: false, key: 'secondFactor' });
    expect(applyPolicy(dropDatabase, { secondFactor: true, approvers })).toMatchObject({
      ok: true,
      tool: { secondFactor: true, trust: undefined },
    });
  });
});
