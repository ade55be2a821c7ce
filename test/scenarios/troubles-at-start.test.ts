import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { saidHere } from '../support/at-start/said-here.ts';
import { sayingsAtStart } from '../support/at-start/sayings.ts';
import { startServersOfTroubles } from '../support/at-start/servers.ts';
import { troublesAtStart } from '../support/at-start/troubles.ts';

let sandbox: Sandbox;
let servers: Awaited<ReturnType<typeof startServersOfTroubles>>;
/** What a bot says of each trouble that the preview shows, under the name of the trouble. */
const said = new Map<string, string>();

/** So many bots start at a time. More of them, in one process, are late to answer their Redis, and warn of that. */
const AT_ONCE = 8;

beforeAll(async () => {
  sandbox = await startSandbox();
  servers = await startServersOfTroubles();
  const left = Object.values(troublesAtStart(servers)).flat().values();
  const meetThem = async () => {
    for (const trouble of left) said.set(trouble.what, await saidHere(trouble, sandbox));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, meetThem));
});
afterAll(async () => {
  await servers.stop();
  await sandbox.close();
});

/** Without the level of a line of the log, and without its fields. */
const sentencesOf = (lines: string): readonly string[] =>
  lines.split('\n').map((line) => line.replace(/^(?:warn|error): /, '').replace(/ \{".*\}$/, ''));

it('a bot that meets a trouble at its start says it in lines of its own, which end with a full stop (SURF-5)', () => {
  const wrong = [...said].flatMap(([what, lines]) =>
    sentencesOf(lines)
      .filter((line) => /^\s+at |^node:internal/.test(line) || !/[^.]\.$/.test(line))
      .map((line) => `${what}: ${line}`),
  );

  expect(wrong).toEqual([]);
});

/** What an operator can do, in the words of these lines. `must be` names what is to be written. */
const TO_DO =
  /\b(?:add|ask|check|copy|correct|create|install|leave|let|make|must|put|raise|remove|rename|restore|run|see|set|start|stop|update|use|write|begins?)\b/i;

/** The words of Slack's library stand in the fields of this line, beside a line of the bot. */
const OF_SLACK = 'The Slack library says something.';

it('each line about a trouble at a start says what to do about it (SURF-5)', () => {
  const idle = [...said].flatMap(([what, lines]) =>
    sentencesOf(lines)
      .filter((line) => !TO_DO.test(line) && line !== OF_SLACK)
      .map((line) => `${what}: ${line}`),
  );

  expect(idle).toEqual([]);
});

/** What this code says and no start does. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'while the bot runs': [
    'A delivery could not be taken',
    'The app was uninstalled. Install it again, set the new SLACK_BOT_TOKEN, and restart.',
    'A tool of the folder has the name of another tool and is left out.',
    'The policy of a reloaded tool cannot be applied; its former form stays.',
    'could not be stored: too many writers at once. Try again.',
    'could not be removed: too many writers at once. It is tried again.',
    'Nothing was sent; it is tried again by itself',
    'The tools of a server cannot be compared with what was allowed; none is offered until the store answers.',
  ],
  'by commands': [
    'yet. Start the bot, then run the command again.',
    'Set DATA_DIR or REDIS_URL to the store of the bot.',
    'Nothing of Countersign is stored in this Redis. See that REDIS_URL is that of the bot.',
  ],
  'of a fault of the bot, which its environment cannot cause': [
    'DATA_KEY holds no key. Set it.',
    'A part of the process was called before all of its parts were made. Make the call in `start`, not while app/build.ts builds.',
    'Tokens of workspaces are kept only encrypted. Set DATA_KEY.',
    'shards and cannot be used with',
  ],
  'after a minute': ['it still awaits something after'],
  'with a Redis of another version': [
    "durability is 'disk', which needs Redis 7.2, and this one",
    "durability is 'disk', and this Redis keeps no append-only file",
  ],
};

it('each refusal and each warning in the code of a start is among the troubles that the preview shows (SURF-5)', () => {
  const all = [...said.values()].join('\n');
  const elsewhere = Object.values(ELSEWHERE).flat();
  const sayings = sayingsAtStart();
  const unmet = sayings.filter(({ words }) => !all.includes(words) && !elsewhere.includes(words));

  expect(unmet.map(({ place, words }) => `${place}: ${words}`)).toEqual([]);
  expect(elsewhere.filter((words) => !sayings.some((saying) => saying.words === words))).toEqual([]);
});
