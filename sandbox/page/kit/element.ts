import { createElement, type ReactNode } from 'react';

/** Short names for writing HTML as values: Node runs no JSX. */
type Attributes = { readonly [name: string]: unknown };

export type Html = ReactNode;

export function h(tag: string, attributes: Attributes, ...children: readonly Html[]): Html {
  return createElement(tag, attributes, ...children);
}

export function div(className: string, ...children: readonly Html[]): Html {
  return createElement('div', { className }, ...children);
}

export function span(className: string, ...children: readonly Html[]): Html {
  return createElement('span', { className }, ...children);
}

/** One of a list, with the key by which the browser finds it again. */
export function keyed(tag: string, key: string, attributes: Attributes, ...children: readonly Html[]): Html {
  return createElement(tag, { key, 'data-key': key, ...attributes }, ...children);
}
