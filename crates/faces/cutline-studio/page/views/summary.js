// A result at a glance: does it hold, and what does it cost?

import { h } from '../core/dom.js';
import { condition, count, counted, oneIn, percent } from '../core/format.js';

const tile = (title, value, note, kind = '') => h('div', { class: `tile ${kind}` }, h('dt', null, title), h('dd', null, h('b', null, value), note ? h('span', null, note) : null));

/** The figures of a result. */
export function summary(view) {
  const worst = view.qids.reduce((one, other) => (other.after.highest > one.after.highest ? other : one));
  const { losses } = view;
  return h('dl', { class: 'tiles' },
    tile('Smallest group', count(Math.min(...view.qids.map((qid) => qid.after.smallest))), `before: ${count(Math.min(...view.qids.map((qid) => qid.before.smallest)))}`),
    tile('Highest risk to be found', oneIn(worst.after.highest), `before: ${oneIn(worst.before.highest)}; ${counted(worst.before.alone, 'record')} alone`),
    tile('Detail lost', percent(losses.general), 'on average over the masked attributes'),
    losses.error === null || view.clusters !== null ? null : tile(losses.error_is === 'classes' ? 'Not of their group’s class' : 'Spread within groups', percent(losses.error), losses.error_is === 'classes' ? 'of the records' : 'of the target’s variance'),
    view.clusters === null ? null : tile('Clusters kept', percent(view.clusters.kept), `F-measure of ${view.clusters.clusters} clusters; masked without knowing them: ${percent(view.clusters.blind)}`),
    tile('Hidden records', count(view.suppressed), view.limit > 0 ? `of at most ${count(view.limit)}, ${view.suppressed_how === 'drop' ? 'left out' : 'published as *'}` : 'none may be hidden'),
    view.dropped > 0 ? tile('Left out', count(view.dropped), 'a value is missing') : null);
}

/** The requirement in words, and that it holds. */
export function verdict(view) {
  const qid = (one) => h('li', null, h('span', { class: 'holds' }, '✓ holds'), ' ', `at least ${count(one.k)} records share every combination of `, h('b', null, one.attributes.join(', ')),
    one.conditions.length > 0 ? `; ${one.conditions.map(condition).join('; ')}` : '', h('small', null, `smallest group ${count(one.after.smallest)}, ${counted(one.after.groups, 'group')}`));
  return h('ul', { class: 'verdict' }, view.qids.map(qid));
}

/** Risk before and after, side by side. */
export function risks(qid) {
  const row = (name, before, after) => h('tr', null, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, before), h('td', { class: 'number' }, after));
  return h('table', { class: 'risks' },
    h('caption', null, 'Risk to be found'),
    h('thead', null, h('tr', null, h('td', null), h('th', { scope: 'col', class: 'number' }, 'raw'), h('th', { scope: 'col', class: 'number' }, 'masked'))),
    h('tbody', null,
      row('highest', oneIn(qid.before.highest), oneIn(qid.after.highest)),
      row('on average', oneIn(qid.before.average), oneIn(qid.after.average)),
      row('records alone', count(qid.before.alone), count(qid.after.alone)),
      row(`records in groups below ${qid.k}`, count(qid.before.below), count(qid.after.below)),
      row('groups', count(qid.before.groups), count(qid.after.groups))));
}
