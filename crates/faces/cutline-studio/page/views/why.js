// Why is it masked, and what would allow more?

import { h, live } from '../core/dom.js';
import { count } from '../core/format.js';
import { withBudget, withInput, withK, withRole } from '../spec.js';
import { act, spec, state } from '../state.js';

function way(one) {
  const does = {
    budget: () => [`hide ${one.share} of the records`, () => act.change(withBudget(spec.peek(), parseFloat(one.share) / 100))],
    threshold: () => [`k = ${count(one.k)}`, () => act.change(withK(spec.peek(), one.qid, one.k))],
    without: () => [`leave out ${one.attribute}`, () => act.change(withRole(spec.peek(), one.attribute, 'drop'))],
    'leave-out': () => [`leave out ${count(one.records)} records without a value`, () => act.change(withInput(spec.peek(), { missing: 'drop' }))],
  }[one.is]();
  return h('li', null, h('button', { type: 'button', class: 'quiet small', on: { click: does[1] } }, does[0]));
}

/** What stands in the way of telling more of an attribute. It is found out after the picture is there. */
export const why = (name) => live(() => {
  const found = state.looks.value?.why?.find((reasons) => reasons.attribute === name);
  if (!found || state.tried.value !== null) return null;
  if (found.label === null && found.into.length === 0) return found.forbidden ? h('p', { class: 'why' }, `More is not told: ${found.forbidden}.`) : null;
  return h('details', { class: 'why' }, h('summary', null, `Why is ${found.label ?? 'a missing value'} not opened?`),
    h('p', null, `As ${found.into.slice(0, 5).join(', ')}${found.into.length > 5 ? ' …' : ''} it would tell most, but ${found.forbidden}.`),
    found.ways.length > 0 ? h('div', null, h('small', null, 'Any of these would allow it:'), h('ul', { class: 'ways' }, found.ways.map(way))) : null);
});
