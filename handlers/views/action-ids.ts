/** Every id that a view can draw. The table in `handlers/index.ts` answers each of them. */
export const ACTION = {
  approve: 'approval_approve',
  deny: 'approval_deny',
  trust: 'approval_trust',
  view: 'approval_view',
  more: 'approval_more',
  nextPage: 'approval_page_next',
  previousPage: 'approval_page_previous',
} as const;
export type ActionId = (typeof ACTION)[keyof typeof ACTION];

/** What the card's menu offers. The approval id follows after a space. */
export const MENU = { stop: 'stop', trusted: 'trusted' } as const;

export const VIEW = { input: 'approval_input' } as const;
