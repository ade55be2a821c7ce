import { history, script as newScript } from './conversation.mjs';

/**
 * One peer in a process of its own: `node serve.mjs ai`. It is sent `{ messages, calls }`, does one turn after so many
 * messages with so many approved calls, and answers `{ micros }`, or `{ why }` when the turn was not as it should be.
 */
const [, , name] = process.argv;
const conversations = new Map();

process.on('message', async ({ messages, calls }) => {
  try {
    process.send({ micros: await measured(messages, calls) });
  } catch (error) {
    process.send({ why: String(error) });
  }
});
try {
  const { saver } = await import(`./${name}.mjs`);
  process.send({ saver });
} catch (error) {
  process.send({ why: String(error) });
}

async function measured(messages, calls) {
  const found = conversations.get(messages) ?? (await open(messages));
  conversations.set(messages, found);
  const { turn, script, count } = found;
  await turn.prepare?.();
  const ran = count();
  script.begin(calls);
  const before = performance.now();
  await turn();
  const micros = (performance.now() - before) * 1_000;
  if (count() - ran !== calls) throw new Error(`The tool ran ${count() - ran} times in place of ${calls}.`);
  return micros;
}

async function open(messages) {
  const { converse } = await import(`./${name}.mjs`);
  const script = newScript();
  let ran = 0;
  const run = () => {
    ran += 1;
    return 'deployed';
  };
  return { turn: await converse({ messages: history(messages), script, run }), script, count: () => ran };
}
