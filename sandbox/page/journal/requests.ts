import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, readBody } from '../../http.ts';
import type { JournalPane } from './draw.ts';
import type { Checks, Journal } from './journal.ts';

/** The pane as the browser of this request wants it: open, unless its cookie says otherwise. */
export function paneFor({ headers }: IncomingMessage, journal: Journal | undefined, checks: Checks) {
  const isOpen = !/(?:^|; )journal=closed/.test(headers.cookie ?? '');
  return journal === undefined ? undefined : ({ journal, checks, isOpen } satisfies JournalPane);
}

/** Takes the presses in the pane. `false` where the address is not one of the pane. */
export async function answerAboutJournal(
  request: IncomingMessage,
  response: ServerResponse,
  journal: Journal | undefined,
  checks: Checks,
): Promise<boolean> {
  switch (request.url) {
    case '/page/check': {
      const [beside = '', altered] = (await readBody(request)).toString().split(' ');
      if (journal !== undefined) checks.begin(journal, { beside, altered });
      answerJson(response, { ok: true });
      return true;
    }
    case '/page/fold': {
      const state = (await readBody(request)).toString() === 'closed' ? 'closed' : 'open';
      response.setHeader('set-cookie', `journal=${state}; Path=/; Max-Age=31536000; SameSite=Strict`);
      answerJson(response, { ok: true });
      return true;
    }
    default:
      return false;
  }
}
