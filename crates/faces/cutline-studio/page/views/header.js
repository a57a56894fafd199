// Where somebody is, what is being done, and the way out.

import { h, live, s } from '../core/dom.js';
import { act, ready, state } from '../state.js';

const STEPS = [
  ['table', 'Table', () => true],
  ['columns', 'Columns', () => state.opened.value !== null],
  ['result', 'Result', () => state.opened.value !== null && ready.value],
  ['compare', 'Compare', () => state.opened.value !== null && ready.value],
  ['publish', 'Publish', () => state.opened.value !== null && ready.value],
];

const mark = () => s('svg', { viewBox: '0 0 32 32', class: 'mark', 'aria-hidden': 'true' },
  s('path', { class: 'tree', d: 'M16 5v5M16 10L8 17M16 10l8 7M8 17l-4 9M8 17l4 9M24 17l-4 9M24 17l4 9' }),
  s('path', { class: 'cut', d: 'M2 22c5-7 9 0 14-3s7-6 14-2' }));

const step = ([name, title, open], at) => live(() => h('button', {
  type: 'button', disabled: !open(), data: { key: `step-${name}` },
  'aria-current': state.step.value === name ? 'step' : undefined,
  on: { click: () => { state.editing.value = null; act.go(name); } },
}, h('span', { class: 'at', 'aria-hidden': 'true' }, at + 1), title), 'li', null);

const busy = () => live(() => {
  const doing = state.busy.value;
  if (doing === null) return null;
  const share = typeof doing.share === 'number' && doing.stage !== 'searching' ? doing.share : undefined;
  return h('div', { class: 'busy', role: 'status' },
    h('progress', { 'aria-label': doing.what, ...(share === undefined ? {} : { value: share }) }),
    h('span', null, `${doing.stage ?? doing.what}${doing.steps > 0 ? `, ${doing.steps} steps` : ''}`),
    h('button', { type: 'button', class: 'quiet', on: { click: act.stop } }, 'Stop'));
});

export const header = () => [
  h('div', { class: 'brand' }, mark(), h('h1', null, 'Cutline ', h('span', null, 'studio'))),
  h('nav', { 'aria-label': 'Steps' }, h('ol', null, STEPS.map(step))),
  h('div', { class: 'corner' }, busy(), h('button', { type: 'button', class: 'quiet', title: 'End the studio', on: { click: act.quit } }, 'End')),
];
