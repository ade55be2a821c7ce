import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { given } from '../../app/given.ts';
import { hashLine } from '../../app/journal/line/line.ts';
import { ANN, BOT } from '../../sandbox/people.ts';
import { type Audited, audit } from './audit.ts';
import { cardIn, mention, openStage, reply } from './bot.ts';

type Verified = (change?: (file: DatabaseSync) => unknown, ...options: readonly string[]) => Promise<Audited>;

/** The file of a stopped bot, and copies of it in which a test changes something. */
export interface KeptStore {
  /** What `npm run audit -- verify` says of a copy after this change, with these options behind. */
  readonly verified: Verified;
  readonly verifiedWith: (env: Readonly<Record<string, string>>, ...about: Parameters<Verified>) => Promise<Audited>;
  readonly remove: () => void;
}

/**
 * The store of a real bot after three threads: in the first, a trust was given, used and ended; in the second, a call was
 * approved, and a trust given that no call used; in the third, a card waits.
 */
export async function keptStore(env: Readonly<Record<string, string>> = {}): Promise<KeptStore> {
  const stage = await openStage();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-kept-'));
  try {
    const bot = await stage.startBot({ env });
    const trusting = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, trusting), 'approval_trust');
    await reply(stage, trusting, 'Done.');
    await stage.world.say(ANN, trusting.channel, 'restart the search service', { thread: trusting });
    await stage.world.press(ANN, await reply(stage, trusting, 'without asking'), 'trust_end_line');
    await reply(stage, trusting, `Trust ended by <@${ANN}>`);
    await reply(stage, trusting, 'The search service was restarted');

    const approved = await mention(stage, ANN, 'restart the payments service');
    await stage.world.press(ANN, await cardIn(stage, approved), 'approval_approve');
    await reply(stage, approved, 'Done.');
    await stage.world.say(ANN, approved.channel, `<@${BOT}> trust restart_service`, { thread: approved });
    await reply(stage, approved, 'Trusted: ');

    await cardIn(stage, await mention(stage, ANN, 'restart the payments service'));
    await bot.stop();
    cpSync(stage.dataDir, folder, { recursive: true });
  } finally {
    await stage.close();
  }
  const verifiedWith: KeptStore['verifiedWith'] = async (settings, change = () => {}, ...options) => {
    const copy = mkdtempSync(join(tmpdir(), 'countersign-changed-'));
    try {
      cpSync(folder, copy, { recursive: true });
      const file = new DatabaseSync(join(copy, 'countersign.sqlite'));
      change(file);
      file.close();
      return await audit({ DATA_DIR: copy, ...settings }, 'verify', ...options);
    } finally {
      rmSync(copy, { recursive: true });
    }
  };
  return {
    verified: (...about) => verifiedWith(given({ DATA_KEY: env.DATA_KEY }), ...about),
    verifiedWith,
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The lines of all runs, each with what finds the hash of an item of its run. */
export function linesOfRuns(file: DatabaseSync) {
  const Line = z.object({ run: z.string(), text: z.string() });
  const item = file.prepare('SELECT text FROM items WHERE run = ? AND position = ?');
  const lines = file.prepare("SELECT journal AS run, text FROM entries WHERE substr(journal, 3, 1) = 'r'").all();
  return z
    .array(Line)
    .parse(lines)
    .map((line) => ({
      ...line,
      hashOf: (at: number) => hashLine(z.object({ text: z.string() }).parse(item.get(line.run, at)).text),
    }));
}
