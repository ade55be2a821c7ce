import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiObject, at, parseJson } from '../../../sandbox/json.ts';
import { METHODS } from '../../../sandbox/web-api/methods.ts';
import { CALLS, outcomeOf } from './calls.ts';
import { DIFFERENCES } from './differences.ts';
import { emulateSide, type Side, sandboxSide } from './sides.ts';

/** The same calls against the sandbox and against `emulate`, another stand-in for Slack that was written without the sandbox. */

let sandbox: Side;
let emulate: Side;
let ofSandbox: ReadonlyMap<string, string>;
let ofEmulate: ReadonlyMap<string, string>;
beforeAll(async () => {
  sandbox = await sandboxSide();
  emulate = await emulateSide();
  ofSandbox = await outcomes(sandbox);
  ofEmulate = await outcomes(emulate);
});
afterAll(async () => {
  await sandbox.close();
  await emulate.close();
});

async function outcomes(side: Side): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, ApiObject>();
  const found = new Map<string, string>();
  for (const call of CALLS) {
    const fields = await call.fields(side, (name) => answers.get(name) ?? {});
    const answer = (await side.call(call.method, fields)) ?? { ok: false, error: 'no such method' };
    answers.set(call.name, answer);
    found.set(call.name, outcomeOf(call, answer));
  }
  return found;
}

it.each(CALLS.filter(({ name }) => !(name in DIFFERENCES)).map(({ name, method }) => [name, method]))(
  'the sandbox and emulate answer “%s” alike, which is a call of %s (DEMO-6)',
  (name) => {
    expect(ofSandbox.get(name)).toBe(ofEmulate.get(name));
  },
);

it.each(Object.entries(DIFFERENCES))(
  'the sandbox and emulate differ about “%s” as the list says (DEMO-6)',
  (name, row) => {
    expect({ sandbox: ofSandbox.get(name), emulate: ofEmulate.get(name), reason: row.reason }).toEqual(row);
  },
);

it('each method that both have is called (DEMO-6)', async () => {
  const both: string[] = [];
  for (const method of METHODS.keys()) if ((await emulate.call(method, {})) !== undefined) both.push(method);

  expect([...new Set(CALLS.map(({ method }) => method))].toSorted()).toEqual(both.toSorted());
});

it('emulate is the release that was compared, and no other (DEMO-6)', () => {
  const dependencies = at(parseJson(readFileSync('package.json', 'utf8')), 'devDependencies');

  expect(at(dependencies, 'emulate')).toBe('0.12.2');
});
