import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { renderToStaticMarkup } from 'react-dom/server';
import { given } from '../../app/given.ts';
import { answerJson, answerText, readBody } from '../http.ts';
import { type ApiObject, parseJson } from '../json.ts';
import type { World } from '../world.ts';
import { doAct } from './acts.ts';
import { toWriting } from './composer.ts';
import { createGuide } from './guide/guide.ts';
import { createChecks } from './journal/journal.ts';
import { answerAboutJournal, paneFor } from './journal/requests.ts';
import type { Html } from './kit/element.ts';
import { drawApp } from './layout.ts';
import type { Shortcut } from './message.ts';
import { shownPageOf } from './shown-page.ts';
import { createTricks, drawNotice, drawStrip, type Strip, type Tricks } from './strip.ts';

/** The web page: draws it, tells it of changes, and does in the world what people do on the page. */
export interface Page {
  /** `false` where the address is not one of the page. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Shows this beside the workspace from now on. */
  show(strip: Strip): void;
  close(): void;
}

export interface PageOptions {
  readonly world: World;
  readonly shortcuts: readonly Shortcut[];
  readonly homeTab: boolean;
}

const NOTICE_AFTER_MS = 25;
/** How often the server tells the page that it is there. */
const BEAT_MS = 500;

export function createPage({ world, shortcuts, homeTab }: PageOptions): Page {
  const watchers = new Set<ServerResponse>();
  let strip: Strip = {};
  let notice: NodeJS.Timeout | undefined;
  // Many changes come at once, and the page is told of them together.
  const tell = (event: 'change' | 'beat') => {
    for (const watcher of watchers) watcher.write(`event: ${event}\ndata: {}\n\n`);
  };
  const beats = setInterval(() => tell('beat'), BEAT_MS);
  beats.unref();
  const changed = () => {
    if (watchers.size === 0) return;
    notice ??= setTimeout(() => {
      notice = undefined;
      tell('change');
    }, NOTICE_AFTER_MS);
  };
  const forget = world.onChange(changed);
  const tricks = createTricks(changed);
  const guide = createGuide({ world, timesDone: tricks.timesDone, onChange: changed });
  const checks = createChecks(changed);

  return {
    handle: async (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      const pane = paneFor(request, strip.journal, checks);
      const { tricks: known, hasOwnTools = false, neededIn } = strip;
      const isGuided = known !== undefined && !hasOwnTools && !guide.isOver();
      const features = { shortcuts, homeTab, isGuided, hasOwnTools, ...given({ neededIn }) };
      const look = shownPageOf(searchParams);
      const drawn = () => drawApp(world, look, features, pane);
      const guided = () => (isGuided ? guide.draw(strip.check) : null);
      const app = () => html([toWriting(look), drawNotice(strip), guided(), drawn(), drawStrip(strip, tricks)]);
      switch (pathname) {
        case '/':
          response.setHeader('content-security-policy', POLICY);
          answerText(response, 200, wholePage(app()), 'text/html');
          return true;
        case '/page/app':
          answerText(response, 200, app(), 'text/html');
          return true;
        case '/page/act':
          answerJson(response, await doAct(world, parseJson((await readBody(request)).toString())));
          return true;
        case '/page/trick':
          answerJson(response, beginTrick(strip, tricks, (await readBody(request)).toString()));
          return true;
        case '/page/guide':
          guide.leave();
          answerJson(response, { ok: true });
          return true;
        case '/page/changes':
          watch(response);
          return true;
        case '/page/style.css':
          answerText(response, 200, STYLES.map(read).join('\n'), 'text/css');
          return true;
        default:
          return answerScript(pathname, response) || answerAboutJournal(request, response, strip.journal, checks);
      }
    },
    show: (shown) => {
      strip = shown;
      changed();
    },
    close: () => {
      forget();
      clearTimeout(notice);
      clearInterval(beats);
      for (const watcher of watchers) watcher.end();
    },
  };

  function watch(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('event: change\ndata: {}\n\n');
    watchers.add(response);
    response.on('close', () => watchers.delete(response));
  }
}

const html = (parts: readonly Html[]): string => parts.map(renderToStaticMarkup).join('');

function beginTrick(strip: Strip, tricks: Tricks, id: string): ApiObject {
  const trick = strip.tricks?.find((known) => known.id === id);
  if (trick === undefined) return { ok: false, problem: 'There is no such trick. Reload the page.' };
  tricks.begin(trick);
  return { ok: true };
}

/** The page fetches nothing from another address, whatever a message holds. */
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";

/** In this order: later ones refine earlier ones. */
const STYLES = [
  pathToFileURL(createRequire(import.meta.url).resolve('slack-blocks-to-jsx/dist/style.css')).href,
  ...[
    'theme',
    'columns',
    'side',
    'messages',
    'offers',
    'guide',
    'lines',
    'blocks',
    'controls',
    'writing',
    'overlays',
    'strip',
    'journal',
    'touch',
  ].map((name) => new URL(`style/${name}.css`, import.meta.url).href),
];
const SCRIPTS = new Map(
  ['theme', 'main', 'link', 'morph', 'refresh', 'popups', 'journal', 'focus', 'files', 'menu'].map((name) => [
    `/page/browser/${name}.js`,
    new URL(`browser/${name}.js`, import.meta.url).href,
  ]),
);

function answerScript(pathname: string, response: ServerResponse): boolean {
  const script = SCRIPTS.get(pathname);
  if (script === undefined) return false;
  answerText(response, 200, read(script), 'text/javascript');
  return true;
}

function read(url: string): string {
  return readFileSync(fileURLToPath(url), 'utf8');
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 36 36'%3E%3Crect width='36' height='36' rx='9' fill='%231d3557'/%3E%3Cg fill='none' stroke='white'%3E%3Ccircle cx='18' cy='18' r='10.5' stroke-width='2'/%3E%3Cpath d='m13.2 18.4 3.4 3.4 6.4-7.2' stroke-width='2.6'/%3E%3C/g%3E%3C/svg%3E";

function wholePage(app: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Countersign sandbox</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/page/style.css">
<script src="/page/browser/theme.js"></script>
<script type="module" src="/page/browser/main.js"></script>
</head>
<body>
<div id="away" role="alert"></div>
<div id="root">${app}</div>
<div id="said" role="status" class="unseen"></div>
<div id="toast" role="alert"></div>
</body>
</html>
`;
}
