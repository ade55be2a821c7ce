import { parseAst } from 'rolldown/parseAst';
import { type ESTree, Visitor } from 'rolldown/utils';
import { sources } from '../imports.ts';

/** The code that runs at a start. The rest of these rooms is met while a bot runs, or by commands. */
const CODE_OF_A_START =
  /^(app\/(config|opening|tools\/folder)\/(?!env-file|watch)|app\/tools\/(deciders|deadlines|policy)\.ts|app\/authority\/(policy\/check|caps-config)\.ts|app\/store\/(open|owner|sealing)\.ts|app\/store\/redis\/(address\.ts|connection\/(health|clients)\.ts)|app\/store\/sqlite\/(store|database|lock|schema|private-files)\.ts|app\/tools\/(table|tool-check)\.ts|app\/tools\/mcp\/(file|pins-file|servers|server-tool|offering|link\/keep)\.ts|app\/authority\/approvers\/named\.ts|app\/workspaces\/installations\.ts|handlers\/door\/receiver\.ts|handlers\/workspaces\/workspaces\.ts)/;

const ERRORS = /^(Error|ConfigProblem|EnvironmentError|\w+(Setup|File|Folder|Factor|Definition)Error)$/;

/** A shorter piece says nothing: the words around it come from another place. */
const SHORTEST = 12;

/** A refusal or a warning in that code: its longest piece that is the same each time. */
export interface Saying {
  readonly place: string;
  readonly words: string;
}

export function sayingsAtStart(): readonly Saying[] {
  return sources()
    .filter(({ path }) => CODE_OF_A_START.test(path))
    .flatMap(({ path, text }) => sayingsIn(text).map((words) => ({ place: path, words })));
}

function sayingsIn(text: string): readonly string[] {
  const found: string[] = [];
  const named = new Map<string, ESTree.Node>();
  const take = (nodes: readonly ESTree.Node[]) => {
    const pieces = nodes.flatMap((node) => piecesOf(node, named)).sort((one, other) => other.length - one.length);
    const longest = pieces[0]?.replace(/^[\s).:,;]+|[\s(]+$/g, '') ?? '';
    if (longest.length > SHORTEST) found.push(longest);
  };
  const program = parseAst(text, { lang: 'ts' });
  const names = new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null) named.set(id.name, init);
    },
  });
  names.visit(program);
  const visitor = new Visitor({
    NewExpression: ({ callee, arguments: given }) => {
      if (callee.type === 'Identifier' && ERRORS.test(callee.name)) take(given);
    },
    Property: ({ key, value }) => {
      if (key.type === 'Identifier' && key.name === 'problem') take([value]);
    },
    CallExpression: ({ callee, arguments: given }) => {
      const name = text.slice(callee.start, callee.end);
      if (/^(log\.(warn|error)|problems\.push|missing|wrong)$/.test(name)) take(given.slice(0, 2));
    },
  });
  visitor.visit(program);
  return found;
}

/** The texts in an expression, without what is put into them. */
function piecesOf(node: ESTree.Node, named: ReadonlyMap<string, ESTree.Node>): readonly string[] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return node.quasis.map(({ value }) => value.cooked ?? '');
    case 'BinaryExpression':
      return [...piecesOf(node.left, named), ...piecesOf(node.right, named)];
    case 'ConditionalExpression':
      return [...piecesOf(node.consequent, named), ...piecesOf(node.alternate, named)];
    case 'Identifier': {
      const init = named.get(node.name);
      return init === undefined || init.type === 'Identifier' ? [] : piecesOf(init, named);
    }
    default:
      return [];
  }
}
