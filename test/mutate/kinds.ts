import type { ESTree, VisitorObject } from 'rolldown/utils';

export interface Span {
  readonly start: number;
  readonly end: number;
}

type Put = (span: Span, to: string) => void;

/** A way to be wrong: offers, for each place in a text where it applies, what is put there. */
export type Kind = (text: string, put: Put) => VisitorObject;

/** `boolean` turns `false` around. Who is handed it asks whether something is true, and nothing is not. */
const AS_GOOD_AS_NOTHING = ['undefined', 'null', 'false'];

const EQUALITY = { '===': '!==', '!==': '===' };

/** The ways to be wrong, by the name that stands in the id of a fault. */
export const KINDS: Readonly<Record<string, Kind>> = {
  negate,
  'and-or': swap({ '&&': '||', '||': '&&' }),
  equality: swap(EQUALITY),
  compare: swap({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' }),
  sum: swap({ '+': '-', '-': '+' }),
  boolean: flip,
  drop,
  empty,
  'off-by-one': offByOne,
  spread,
};

function negate(text: string, put: Put): VisitorObject {
  const turn = (test: ESTree.Expression): void => {
    // Turned around by `equality` already.
    if (test.type === 'BinaryExpression' && test.operator in EQUALITY) return;
    if (test.type === 'UnaryExpression' && test.operator === '!') put(test, textOf(text, test.argument));
    else put(test, `!(${textOf(text, test)})`);
  };
  return {
    IfStatement: ({ test }) => turn(test),
    ConditionalExpression: ({ test }) => turn(test),
    WhileStatement: ({ test }) => turn(test),
  };
}

function swap(swaps: Readonly<Record<string, string>>): Kind {
  return (text, put) => {
    const turn = ({ operator, left, right }: ESTree.BinaryExpression | ESTree.LogicalExpression): void => {
      const to = swaps[operator];
      if (to === undefined || (operator === '+' && [left, right].some(isWords))) return;
      const start = text.indexOf(operator, left.end);
      put({ start, end: start + operator.length }, to);
    };
    return { BinaryExpression: turn, LogicalExpression: turn };
  };
}

function isWords(node: ESTree.Node): boolean {
  if (node.type === 'TemplateLiteral') return true;
  if (node.type === 'Literal') return typeof node.value === 'string';
  return node.type === 'BinaryExpression' && [node.left, node.right].some(isWords);
}

function flip(_text: string, put: Put): VisitorObject {
  return {
    Literal: (node) => {
      if (typeof node.value === 'boolean') put(node, String(!node.value));
    },
  };
}

/** Leaves out a call for its effect, a throw, or a return that others follow. */
function drop(_text: string, put: Put): VisitorObject {
  const last = new Set<number>();
  const closes = ({ body }: { readonly body: ESTree.Node | null }): void => {
    if (body?.type !== 'BlockStatement') return;
    for (const { start } of lastOf(body)) last.add(start);
  };
  return {
    FunctionDeclaration: closes,
    FunctionExpression: closes,
    ArrowFunctionExpression: closes,
    ExpressionStatement: (node) => {
      if (isCall(node.expression)) put(node, ';');
    },
    ThrowStatement: (node) => put(node, ';'),
    ReturnStatement: (node) => {
      if (!last.has(node.start)) put(node, ';');
    },
  };
}

/** The statements after which a function ends in any case. */
function lastOf(node: ESTree.Statement | null | undefined): readonly ESTree.Statement[] {
  if (node === null || node === undefined) return [];
  switch (node.type) {
    case 'BlockStatement':
      return lastOf(node.body.at(-1));
    case 'IfStatement':
      return [...lastOf(node.consequent), ...lastOf(node.alternate)];
    case 'SwitchStatement':
      return lastOf(node.cases.at(-1)?.consequent.at(-1));
    case 'TryStatement':
      return [...lastOf(node.block), ...lastOf(node.handler?.body)];
    default:
      return [node];
  }
}

function isCall(node: ESTree.Node): boolean {
  if (node.type === 'AwaitExpression') return isCall(node.argument);
  if (node.type === 'UnaryExpression') return node.operator === 'void' && isCall(node.argument);
  if (node.type === 'ChainExpression') return isCall(node.expression);
  return node.type === 'CallExpression';
}

/** Answers nothing in place of a value. */
function empty(text: string, put: Put): VisitorObject {
  const blank = (value: ESTree.Node): void => {
    if (isWords(value) && textOf(text, value).includes(' ')) return;
    if (value.type === 'ArrayExpression') {
      if (value.elements.length > 0) put(value, '[]');
    } else if (!AS_GOOD_AS_NOTHING.includes(textOf(text, value))) put(value, 'undefined');
  };
  return {
    ReturnStatement: ({ argument }) => {
      if (argument !== null) blank(argument);
    },
    ArrowFunctionExpression: ({ body }) => {
      if (body.type !== 'BlockStatement') blank(body);
    },
  };
}

/** Larger numbers and constants with a name of capitals are limits: one more or less is no fault of theirs. */
function offByOne(_text: string, put: Put): VisitorObject {
  let endOfLimit = 0;
  return {
    VariableDeclarator: ({ id, end }) => {
      if (id.type === 'Identifier' && /^[A-Z][A-Z0-9_]+$/.test(id.name)) endOfLimit = end;
    },
    Literal: (node) => {
      if (typeof node.value === 'number' && node.value < 100 && node.start >= endOfLimit) {
        put(node, String(node.value + 1));
      }
    },
  };
}

function spread(_text: string, put: Put): VisitorObject {
  const skip =
    (nothing: string) =>
    (nodes: readonly (ESTree.Node | null)[]): void => {
      for (const node of nodes) if (node?.type === 'SpreadElement') put(node, nothing);
    };
  return {
    ObjectExpression: ({ properties }) => skip('...{}')(properties),
    ArrayExpression: ({ elements }) => skip('...[]')(elements),
    CallExpression: ({ arguments: given }) => skip('...[]')(given),
  };
}

function textOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}
