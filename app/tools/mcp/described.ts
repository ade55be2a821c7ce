import type { ServerSettings } from './file.ts';

/**
 * How a server is reached, as the file says it, for a record that is kept for ever: its command, or its address. Variables
 * stay names. A login, a query and what follows a flag such as `--token` are left out.
 */
export function describeServer({ name, type, identity }: Pick<ServerSettings, 'name' | 'type' | 'identity'>): string {
  if (type === 'http') return `${name}: ${identity.replace(/\/\/[^/]*@/, '//').replace(/[?#].*/s, '')}`;
  const words: readonly string[] = JSON.parse(identity);
  const shown = words.map((word, at) => {
    const [, flag = '', value] = /^(-[^=]*)=(.*)$/s.exec(word) ?? [];
    if (isSecret(flag) && !isVariable(value)) return `${flag}=${HIDDEN}`;
    return at > 0 && isSecret(words[at - 1]) && !isVariable(word) ? HIDDEN : word;
  });
  return `${name}: ${JSON.stringify(shown)}`;
}

const HIDDEN = '[hidden]';

function isSecret(flag = ''): boolean {
  return /^-.*(?:password|passwd|passphrase|secret|token|key|credentials?|auth|authorization)$/i.test(flag);
}

function isVariable(value = ''): boolean {
  return /^\$\{[A-Za-z_]\w*\}$/.test(value);
}
