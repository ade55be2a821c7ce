import { expect, it } from 'vitest';
import { createHomes } from '../../handlers/home/homes.ts';
import { tableOfContents } from '../../handlers/index.ts';
import { createSlackClient } from '../../handlers/workspaces/client.ts';
import { ROWS } from '../support/every-delivery.ts';
import { TOKEN } from '../support/slack.ts';
import { parts } from './parts.ts';

const { log, ...others } = parts();
const client = createSlackClient({ botToken: TOKEN }, log);
const bot = () => ({ team_id: 'T', user_id: 'U' });
const table = tableOfContents({
  ...others,
  homes: createHomes({ ...others, client, log }),
  log,
  client,
  bot,
  takenOf: () => undefined,
});

it('P30 every delivery that is answered has a row in the matrix of who may do what, and every row a delivery', () => {
  expect(Object.keys(ROWS).sort()).toEqual(table.map(({ kind, name }) => `${kind} ${name}`).sort());
});
