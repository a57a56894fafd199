// Some records as they are and as they would be published. Raw values are shown here and nowhere else.

import { h } from '../core/dom.js';

const cell = (text) => (text === null ? h('td', { class: 'none' }, '—') : h('td', null, text));

export function rows({ attributes, rows: all }) {
  const pair = (row) => [
    h('tr', { class: 'raw' }, h('th', { scope: 'row' }, 'was'), row.raw.map(cell)),
    h('tr', { class: 'masked' }, h('th', { scope: 'row' }, 'is'), row.masked === null ? h('td', { colspan: attributes.length, class: 'none' }, 'left out') : row.masked.map(cell)),
  ];
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Some records, raw and masked' },
    h('table', { class: 'rows' }, h('thead', null, h('tr', null, h('td', null), attributes.map((name) => h('th', { scope: 'col' }, name)))),
      all.map((row) => h('tbody', null, pair(row)))));
}
