import type { Log } from '../../app/log.ts';
import type { Route } from './receiver.ts';

export type Phase = 'new' | 'serving' | 'stopping';

/** `/healthz` answers while the process lives, `/readyz` while it takes deliveries and everything behind it works. */
export function healthRoutes(phase: () => Phase, ready: () => Promise<readonly string[]>, log: Log): readonly Route[] {
  const isReady = atMostOnceASecond(ready);
  const readiness = async (): Promise<{ readonly ready: boolean; readonly says: readonly string[] }> => {
    switch (phase()) {
      case 'new':
        return { ready: false, says: ['Slack is not connected yet.'] };
      case 'stopping':
        return { ready: false, says: ['The process is stopping.'] };
      case 'serving':
        return { ready: true, says: await isReady() };
    }
  };
  return [
    { method: 'GET', path: '/healthz', handler: (_request, response) => void response.writeHead(200).end('ok\n') },
    {
      method: 'GET',
      path: '/readyz',
      handler: (_request, response) => {
        const answer = (is: boolean, says: readonly string[]) =>
          response
            .writeHead(is ? 200 : 503, { 'content-type': 'text/plain; charset=utf-8' })
            .end(`${[is ? 'ready' : 'not ready', ...says].join('\n')}\n`);
        readiness().then(
          ({ ready: is, says }) => answer(is, says),
          (error: unknown) => {
            log.warn('The bot is not ready: the store cannot be used', { error });
            // The error may name the address of the store, and any caller of the port reads this answer.
            answer(false, ['The store cannot be used; the log says why. Presses are answered with "not recorded".']);
          },
        );
      },
    },
  ];
}

/** Each look at the store costs it a write, and any caller of the port may ask. */
function atMostOnceASecond<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly answer: Promise<Answer>; readonly atMs: number } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.atMs > LOOK_APART_MS)
      last = { answer: ask(), atMs: performance.now() };
    return last.answer;
  };
}

const LOOK_APART_MS = 1_000;
