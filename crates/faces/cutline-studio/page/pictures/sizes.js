// How large are the groups? Records by the size of their group, from k on.

import { h, s } from '../core/dom.js';
import { brief, count, counted, percent } from '../core/format.js';

export function sizes(qid) {
  const most = Math.max(...qid.sizes.map((bar) => bar.records), 1);
  const all = Math.max(qid.after.records, 1);
  const width = 100 / Math.max(qid.sizes.length, 1);
  const label = `Records by size of their group: smallest ${qid.after.smallest}, ${counted(qid.after.groups, 'group')}`;
  return h('figure', { class: 'sizes' },
    s('svg', { viewBox: '0 0 100 60', preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
      qid.sizes.map((bar, at) => s('rect', { x: at * width + width * 0.08, width: width * 0.84, y: 60 - (58 * bar.records) / most, height: (58 * bar.records) / most },
        s('title', null, `${bar.from === bar.to ? bar.from : `${count(bar.from)} to ${count(bar.to)}`} records: ${counted(bar.groups, 'group')}, ${percent(bar.records / all)} of the records`)))),
    h('div', { class: 'ends' }, h('span', null, `k = ${count(qid.k)}`), h('span', null, qid.sizes.length > 0 ? brief(qid.sizes[qid.sizes.length - 1].to) : '')),
    h('figcaption', null, 'records by size of their group'));
}
