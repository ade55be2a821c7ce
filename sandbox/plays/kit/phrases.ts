import { textAt } from '../../json.ts';
import type { PhrasesOf } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import type { ToolResult } from '../../model/request.ts';

/** How the written conversations speak of the tools of the example. */

export const RESTARTING: PhrasesOf = (input) => {
  const service = `the ${textAt(input, 'service')} service`;
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

export const DROPPING: PhrasesOf = (input) => {
  const database = textAt(input, 'database');
  const name = database === OLD_DATABASE ? 'the old database' : `the database ${database}`;
  return {
    ask: `drop ${name}`,
    done: `${name} is gone`,
    left: 'the database stays',
    offer: 'I can list what is in it instead.',
  };
};

export const REPORTING: PhrasesOf = () => ({ ask: 'run the report', done: 'the report ran', left: 'no report' });

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
