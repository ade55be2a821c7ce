import { WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { silentLog } from '../../../app/log.ts';
import { createSender } from '../../../handlers/sender/sender.ts';
import { testTimers } from '../../support/timers.ts';

/** A Slack that answers when told, and remembers what reached it and when. */
export function stage({ isAlone = false }: { readonly isAlone?: boolean } = {}) {
  const time = testTimers();
  const sender = createSender({ log: silentLog, time, isAlone });
  const arrived: { readonly name: string; readonly atMs: number; readonly end: (error?: unknown) => Promise<void> }[] =
    [];
  const send = (method: string, args: Record<string, unknown>, name = method): Promise<string> => {
    const run = () =>
      new Promise<string>((resolve, reject) => {
        const end = async (error?: unknown) => {
          if (error === undefined) resolve(name);
          else reject(error);
          await settled();
        };
        arrived.push({ name, atMs: time.now(), end });
      });
    const sent = sender.send({ method, args, run });
    // A test looks at a failure after it has moved the time.
    sent.catch(() => {});
    return sent;
  };
  const names = () => arrived.map(({ name }) => name);
  const endAll = async () => {
    let ended = 0;
    while (ended < arrived.length) {
      await arrived[ended]?.end();
      ended += 1;
    }
  };
  const later = async (ms: number) => {
    time.advance(ms);
    await settled();
  };
  return { time, sender, send, arrived, names, endAll, later };
}

export const settled = () => new Promise((resolve) => setImmediate(resolve));
export const limited = (seconds: number) => new WebAPIRateLimitedError(seconds);
export const lost = () => new WebAPIRequestError(new Error('the connection broke'));
export const refusal = (error = 'is_archived') => new WebAPIPlatformError({ ok: false, error });
export const update = (ts: string) => ({ channel: 'C1', ts });
