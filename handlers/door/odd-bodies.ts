import type { RequestListener } from 'node:http';
import { HTTPModuleFunctions as http } from '@slack/bolt';
import type { Log } from '../../app/log.ts';

export interface OddBodiesDeps {
  readonly path: string;
  readonly signingSecret: string;
  readonly log: Log;
}

/**
 * Refuses signed bodies that are JSON but no object, such as `null`. Bolt would read members of them and fail outside of
 * its own error handling, which ends the process. Every other request goes to Bolt unchanged.
 */
export function refuseOddBodies(next: RequestListener, { path, signingSecret, log }: OddBodiesDeps): RequestListener {
  const isOdd = async (request: Parameters<RequestListener>[0]): Promise<boolean> => {
    const buffered = await http.bufferIncomingMessage(request, http.defaultBodyLimit);
    if (BEGINS_OBJECT.test(buffered.rawBody.toString('latin1', 0, BEGINNING_CHARS))) return false;
    if (isObjectOrNoJson(() => http.parseHTTPRequestBody(buffered))) return false;
    // An unsigned body is for Bolt, which answers 401 before it reads any of it.
    const verify = http.parseAndVerifyHTTPRequest({ signingSecret }, buffered);
    return verify.then(
      () => true,
      () => false,
    );
  };
  return (request, response) => {
    const isDelivery = request.method === 'POST' && URL.parse(request.url ?? '', 'http://localhost')?.pathname === path;
    if (!isDelivery) return next(request, response);
    isOdd(request).then(
      (odd) => {
        if (!odd) return next(request, response);
        log.warn('A delivery was refused: its body is JSON, and no object');
        response.writeHead(400).end();
      },
      (error: unknown) => {
        log.warn('The body of a delivery could not be read', { error });
        // A press may come behind it over the same connection.
        request.resume();
        response.writeHead(http.isRawBodyError(error) ? error.statusCode : 400).end();
      },
    );
  };
}

/** What begins so is an object, or no JSON. Bolt reads every delivery once more, so nearly all of them are read there alone. */
const BEGINS_OBJECT = /^(?:\{|payload=%7B)/i;
const BEGINNING_CHARS = 'payload=%7B'.length;

function isObjectOrNoJson(parse: () => unknown): boolean {
  try {
    const body = parse();
    return typeof body === 'object' && body !== null && !Array.isArray(body);
    // The body is no JSON. Bolt answers 400 by itself.
  } catch {
    return true;
  }
}
