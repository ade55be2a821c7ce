import { type ApiJson, at, textAt } from '../../json.ts';
import type { PhrasesOf } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import type { ToolResult } from '../../model/request.ts';

/** How the plays speak of the tools of the example. */

export const RESTARTING: PhrasesOf = (input) => {
  const name = textAt(input, 'service');
  const service = name === '' ? 'a service' : `the ${name} service`;
  return {
    ask: `restart ${service}`,
    done: `${service} was restarted`,
    left: `I left ${service} alone`,
    offer: 'I can look at the status instead: just ask for the status.',
  };
};

/** The services that were restarted, by the input that ran. */
export function restarted(results: readonly ToolResult[]): readonly string[] {
  const services = results.flatMap((result) => {
    const { outcome } = hear(result);
    return outcome.type === 'ran' ? [textAt(outcome.input, 'service')] : [];
  });
  return [...new Set(services)];
}

export const OLD_DATABASE = 'payments_old';

/** A visitor may call a tool with an input that names none. */
function databaseIn(input: ApiJson): string {
  const database = textAt(input, 'database');
  if (database === '') return 'a database';
  return database === OLD_DATABASE ? 'the old database' : `the database ${database}`;
}

export const DROPPING: PhrasesOf = (input) => {
  const name = databaseIn(input);
  return {
    ask: `drop ${name}`,
    done: `${name} is gone`,
    left: 'the database stays',
    offer: 'I can list what is in it instead.',
  };
};

const REPORTING: PhrasesOf = () => ({ ask: 'run the report', done: 'the report ran', left: 'no report ran' });

export const LOOKING: PhrasesOf = () => ({
  ask: 'look at the status',
  done: 'I looked at the status',
  left: 'I did not look at the status',
});

export const ASKING: PhrasesOf = () => ({
  ask: 'get an answer',
  done: 'I got an answer',
  left: 'I go on without an answer',
});

const REFUNDING: PhrasesOf = (input) => {
  const amount = at(input, 'amount');
  const money = amount === undefined ? 'money' : `${amount} €`;
  const order = textAt(input, 'order') === '' ? 'an order' : `order ${textAt(input, 'order')}`;
  return {
    ask: `pay ${money} back for ${order}`,
    done: `${money} were paid back for ${order}`,
    left: 'no money was paid back',
  };
};

const ROTATING: PhrasesOf = () => ({
  ask: 'rotate the webhook key',
  done: 'the webhook key was rotated',
  left: 'the webhook key stays as it is',
});

const ARCHIVING: PhrasesOf = (input) => {
  const name = databaseIn(input);
  return { ask: `move ${name} to the archive`, done: `${name} is in the archive`, left: `${name} stays where it is` };
};

const OPENING: PhrasesOf = () => ({
  ask: 'open the door of the server room',
  done: 'the door of the server room opened',
  left: 'the door stays closed',
});

const REBUILDING: PhrasesOf = () => ({
  ask: 'rebuild the search index',
  done: 'the search index is rebuilt',
  left: 'the search index stays as it is',
});

const BOOKING: PhrasesOf = () => ({ ask: 'book a room', done: 'the desk has answered', left: 'I booked no room' });

const READING: PhrasesOf = () => ({
  ask: 'read the runbook',
  done: 'I have read the runbook',
  left: 'I did not read the runbook',
});

const PHRASES = new Map([
  ['restart_service', RESTARTING],
  ['drop_database', DROPPING],
  ['run_report', REPORTING],
  ['service_status', LOOKING],
  ['ask_person', ASKING],
  ['refund_order', REFUNDING],
  ['rotate_key', ROTATING],
  ['archive_database', ARCHIVING],
  ['open_door', OPENING],
  ['rebuild_index', REBUILDING],
  ['desk__book_room', BOOKING],
  ['read_runbook', READING],
]);

/** A tool of the demo, and none of a visitor's own. */
export const isKnown = (tool: string): boolean => PHRASES.has(tool);

/** Only the name is known of a tool that no play knows. */
export function phrasesOf(tool: string): PhrasesOf {
  return (
    PHRASES.get(tool) ??
    (() => ({ ask: `call ${tool}`, done: `the tool ${tool} has run`, left: `I did not call ${tool}` }))
  );
}
