import { type ESTree, Visitor } from 'rolldown/utils';
import type { Span } from './kinds.ts';

/**
 * Answers whether a change of this span proves nothing about the tests. It proves nothing in types, imports and the words
 * of errors, in lines of the log, at steps (where only a test lets the process die), in what only says whether to come to
 * one, and in cases that cannot happen.
 */
export function shelter(program: ESTree.Program, text: string): (span: Span) => boolean {
  const words: Span[] = [];
  const calls: Span[] = [];
  const addWords = (span: Span): void => void words.push(span);
  new Visitor({
    ImportDeclaration: addWords,
    TSInterfaceDeclaration: addWords,
    TSTypeAliasDeclaration: addWords,
    TSLiteralType: addWords,
    NewExpression: ({ callee, end }) => {
      if (/(Error|Failure)$/.test(text.slice(callee.start, callee.end))) words.push({ start: callee.end, end });
    },
    IfStatement: ({ test, consequent, alternate }) => {
      if (alternate === null && ONLY_A_STEP.test(text.slice(consequent.start, consequent.end))) words.push(test);
    },
    CallExpression: (node) => {
      if (NO_MATTER.test(text.slice(node.callee.start, node.callee.end))) calls.push(node);
    },
  }).visit(program);
  return ({ start, end }) =>
    words.some((span) => span.start <= start && end <= span.end) ||
    calls.some((span) => span.start < end && start < span.end);
}

const NO_MATTER = /(^|\.)(log(\.\w+)?|console\.\w+|step|unreachable)$/;
const ONLY_A_STEP = /^(await )?(\w+\.)*step\([^()]*\);$/;
