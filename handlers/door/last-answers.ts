import type { RequestListener, Server, ServerResponse } from 'node:http';

/** Ends kept-alive connections when the process stops, so that the caller's next request goes to another process. */
export interface LastAnswers {
  /** Stands in front of a listener. */
  readonly around: (listener: RequestListener) => RequestListener;
  /** From here on each answer ends its connection. A connection without a request ends at once. */
  readonly begin: (server: Server | undefined) => void;
}

export function createLastAnswers(): LastAnswers {
  const unanswered = new Set<ServerResponse>();
  let begun = false;
  return {
    around: (listener) => (request, response) => {
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
      if (begun) endWith(response);
      listener(request, response);
    },
    begin: (server) => {
      begun = true;
      for (const response of unanswered) endWith(response);
      server?.closeIdleConnections();
    },
  };
}

function endWith(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
