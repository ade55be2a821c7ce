import { type ChildProcess, spawn } from 'node:child_process';

/** `npm run demo`, with `bot` in the place of the real bot if one is named. Resolves when it has printed its address. */
export async function startedDemo(
  bot: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly child: ChildProcess; readonly address: string; readonly said: () => string }> {
  const child = spawn(process.execPath, ['sandbox/demo.ts', ...(bot === undefined ? [] : [bot])], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /Countersign is ready: (\S+)\n/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', () => reject(new Error(`The demo ended without an address. It said: ${said}`)));
  });
  return { child, address, said: () => said };
}
