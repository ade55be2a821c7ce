import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { answerFile, receiveFile } from './files.ts';
import { answerText, readBody } from './http.ts';
import type { Installing } from './installing.ts';
import { parseJson } from './json.ts';
import type { ServedModel } from './model/model.ts';
import type { Page } from './page/page.ts';
import { respond } from './web-api/respond.ts';
import { answerApi } from './web-api/server.ts';
import type { SandboxWorkspaces } from './workspaces.ts';

export interface RoutesOptions {
  readonly workspaces: Pick<SandboxWorkspaces, 'ofToken' | 'having'>;
  readonly installing: Installing;
  readonly model: Pick<ServedModel, 'handle'>;
  readonly page: Pick<Page, 'handle'>;
}

/** Answers every request. Where an answer fails, the caller gets a 500, or a broken connection if the answer has begun. */
export function createRoutes(options: RoutesOptions): RequestListener {
  return (request, response) => {
    // The sandbox itself failed. A test sees it as a broken answer.
    answer(options, request, response).catch((error: unknown) => {
      if (!response.headersSent) answerText(response, 500, `The sandbox failed: ${String(error)}`);
      else response.destroy();
    });
  };
}

async function answer(
  { workspaces, installing, model, page }: RoutesOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [, place = '', ...rest] = pathname.split('/');
  const [first = ''] = rest;
  switch (place) {
    case 'api':
      if (first === 'oauth.v2.access') return installing.exchange(request, response);
      return answerApi(workspaces.ofToken(bearer(request)).webApi, rest.join('/'), request, response);
    case 'oauth':
      return installing.agree(request, response);
    case 'respond':
      return answerAtAddress(workspaces, rest.join('/'), request, response);
    case 'upload':
      return receiveFile(workspaces.having(({ files }) => files.has(first)).state, first, request, response);
    case 'files-pri':
    case 'files-tmb':
      return answerFile(workspaces.ofToken(bearer(request)).webApi, first, request, response);
    case 'anthropic':
      if (rest.join('/') === 'v1/messages') return model.handle(request, response);
  }
  if (!(await page.handle(request, response))) answerText(response, 404, 'There is nothing here.');
}

/** A `response_url` carries no token; its id says which workspace it belongs to. */
async function answerAtAddress(
  workspaces: RoutesOptions['workspaces'],
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { state, faults } = workspaces.having(({ answerAddresses }) => answerAddresses.has(id));
  if (faults.take('response_url')?.type === 'hang') return;
  const answered = respond(state, id, parseJson((await readBody(request)).toString()));
  answerText(response, answered.status, answered.body);
}

function bearer(request: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
