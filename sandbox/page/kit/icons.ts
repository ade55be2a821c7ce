import { type Html, h } from './element.ts';

/** Small drawings, so that the page looks the same on a computer without a font for signs. */
export function icon(name: keyof typeof LINES): Html {
  return h(
    'svg',
    {
      ...{ viewBox: '0 0 20 20', width: 16, height: 16, 'aria-hidden': true, fill: 'none', stroke: 'currentColor' },
      ...{
        strokeWidth: name === 'dots' || name === 'more' ? 2.8 : 1.7,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
      },
    },
    h('path', { d: LINES[name] }),
  );
}

const LINES = {
  reply: 'M3.5 5.5a2 2 0 0 1 2-2h9a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H9l-4 3v-3a1.8 1.8 0 0 1-1.5-2Z',
  send: 'm3.5 3.8 13 6.2-13 6.2 2.2-6.2-2.2-6.2Zm2.2 6.2h5',
  close: 'm5 5 10 10M15 5 5 15',
  more: 'M10 4.5v.01M10 10v.01M10 15.5v.01',
  dots: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  eye: 'M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5Zm8 2.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z',
  file: 'M6 2.8h5.5L15 6.3v10.9H6a1 1 0 0 1-1-1V3.8a1 1 0 0 1 1-1Zm5.2.2v3.5h3.5',
  fold: 'm7 4 6 6-6 6',
  good: 'M6.5 9 9.5 3c1.2 0 2 .8 2 2v2.7h3.6c1 0 1.6.9 1.4 1.8l-1 5a1.8 1.8 0 0 1-1.8 1.5H6.5V9Zm0 0h-3v7h3',
  bad: 'M13.500 11l-3 6c-1.200 0-2-.8-2-2v-2.700H4.900c-1 0-1.600-.9-1.400-1.800l1-5A1.800 1.800 0 0 1 6.300 4h7.200v7Zm0 0h3V4h-3',
} as const;

/** A seal with a tick: what a countersignature looks like from far away. */
export function seal(): Html {
  return h(
    'svg',
    { viewBox: '0 0 36 36', width: '100%', height: '100%', fill: 'none', stroke: 'currentColor' },
    h('circle', { cx: 18, cy: 18, r: 10.5, strokeWidth: 2 }),
    h('path', { d: 'm13.2 18.4 3.4 3.4 6.4-7.2', strokeWidth: 2.6, strokeLinecap: 'round', strokeLinejoin: 'round' }),
  );
}

/** The signs that approval cards use, by Slack's names. Others are left to the reader's fonts. */
export function sign(name: string): Html | undefined {
  const drawing = SIGNS[name];
  if (drawing === undefined) return undefined;
  const shapes = drawing.map(([tag, attributes]) => h(tag, { key: JSON.stringify(attributes), ...attributes }));
  return h(
    'svg',
    { className: 'sign', viewBox: '0 0 20 20', role: 'img', 'aria-label': name.replaceAll('_', ' ') },
    ...shapes,
  );
}

type Shape = readonly [tag: 'path' | 'rect' | 'circle', attributes: { readonly [name: string]: string | number }];

const white = { fill: 'none', stroke: '#fff', strokeWidth: 2.2, strokeLinecap: 'round', strokeLinejoin: 'round' };
const bow = { fill: 'none', stroke: '#8a94a3', strokeWidth: 2 };
const TICK: readonly Shape[] = [
  ['rect', { x: 2, y: 2, width: 16, height: 16, rx: 4, fill: '#1f9d63' }],
  ['path', { d: 'm6 10.300 2.800 2.800L14 7.400', ...white }],
];
const CROSS: readonly Shape[] = [
  ['circle', { cx: 10, cy: 10, r: 8, fill: '#d23b51' }],
  ['path', { d: 'M6 10h8', ...white }],
];
const BODY: Shape = ['rect', { x: 4, y: 9, width: 12, height: 9, rx: 2, fill: '#e8a92c' }];
const HOLE: Shape = ['circle', { cx: 10, cy: 13.4, r: 1.4, fill: '#7a5206' }];
const HOURGLASS: readonly Shape[] = [
  [
    'path',
    {
      d: 'M5 2.500h10v2c0 2.500-3.500 4-3.500 5.500s3.500 3 3.500 5.500v2H5v-2C5 13 8.500 11.500 8.500 10S5 7 5 4.500Z',
      fill: '#c9d6e6',
    },
  ],
  ['path', { d: 'M6.500 16.500h7c0-2-2-3-3.500-3s-3.500 1-3.500 3Zm1-10h5L10 9.300Z', fill: '#d99a2b' }],
];
const SIGNS: { readonly [name: string]: readonly Shape[] } = {
  lock: [['path', { d: 'M6.500 9V6.500a3.500 3.500 0 0 1 7 0V9', ...bow }], BODY, HOLE],
  closed_lock_with_key: [['path', { d: 'M6.500 9V6.500a3.500 3.500 0 0 1 7 0V9', ...bow }], BODY, HOLE],
  unlock: [['path', { d: 'M6.500 9V5.500a3.500 3.500 0 0 1 6.700-1.400', ...bow }], BODY, HOLE],
  white_check_mark: TICK,
  heavy_check_mark: TICK,
  fast_forward: [
    ['rect', { x: 2, y: 2, width: 16, height: 16, rx: 3.5, fill: '#3b7dd2' }],
    ['path', { d: 'M4.500 6v8l5.500-4Zm5.500 0v8l5.500-4Z', fill: '#fff' }],
  ],
  octagonal_sign: [
    ['path', { d: 'M6.700 2h6.600L18 6.700v6.600L13.300 18H6.700L2 13.300V6.700Z', fill: '#d23b51' }],
    ['rect', { x: 6.8, y: 6.8, width: 6.4, height: 6.4, rx: 1, fill: '#fff' }],
  ],
  question: [
    ['circle', { cx: 10, cy: 10, r: 8, fill: '#3b7dd2' }],
    [
      'path',
      {
        d: 'M7.700 8a2.300 2.300 0 1 1 3.400 2c-.700.400-1.100.800-1.100 1.600M10 14v.010',
        ...white,
        strokeWidth: 1.9,
      },
    ],
  ],
  speech_balloon: [
    [
      'path',
      {
        d: 'M5 3h10a2.500 2.500 0 0 1 2.500 2.500v5A2.500 2.500 0 0 1 15 13h-5l-4 4v-4H5a2.500 2.500 0 0 1-2.500-2.500v-5A2.500 2.500 0 0 1 5 3Z',
        fill: '#3b7dd2',
      },
    ],
  ],
  clipboard: [
    ['rect', { x: 4, y: 3.5, width: 12, height: 14, rx: 2, fill: '#b5793a' }],
    ['rect', { x: 5.8, y: 6, width: 8.4, height: 9.6, rx: 0.8, fill: '#fff' }],
    ['rect', { x: 7.5, y: 2, width: 5, height: 3, rx: 1, fill: '#5f6b7a' }],
  ],
  repeat: [
    ['rect', { x: 2, y: 2, width: 16, height: 16, rx: 3, fill: '#3b7dd2' }],
    [
      'path',
      {
        d: 'M5.500 9.500a4.500 4.500 0 0 1 8-2M14.500 10.500a4.500 4.500 0 0 1-8 2M13.800 5v2.700h-2.700M6.200 15v-2.700h2.700',
        ...white,
        strokeWidth: 1.5,
      },
    ],
  ],
  no_entry_sign: CROSS,
  no_entry: CROSS,
  x: CROSS,
  hourglass: HOURGLASS,
  hourglass_flowing_sand: HOURGLASS,
  warning: [
    [
      'path',
      {
        d: 'M8.700 3.200a1.500 1.500 0 0 1 2.600 0l6.400 11.500a1.500 1.500 0 0 1-1.300 2.200H3.600a1.500 1.500 0 0 1-1.300-2.200Z',
        fill: '#f0b429',
      },
    ],
    [
      'path',
      { d: 'M10 7.500v4M10 14.200v.01', fill: 'none', stroke: '#5c3d00', strokeWidth: 1.9, strokeLinecap: 'round' },
    ],
  ],
};
