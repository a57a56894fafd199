// The result: it answers questions at a glance, and the answers change as one moves a slider.

import { h, live, prose } from '../core/dom.js';
import { count, percent } from '../core/format.js';
import { sizes } from '../pictures/sizes.js';
import { act, state } from '../state.js';
import { cards, clicks } from './cards.js';
import { controls } from './controls.js';
import { rows } from './rows.js';
import { risks, summary, verdict } from './summary.js';

/** What a line that was moved by hand comes to. */
function hand() {
  const tried = state.tried.value;
  if (tried === null) return null;
  const before = state.result.value.view;
  const change = (now, then) => `${now >= then ? '+' : '−'}${percent(Math.abs(now - then))}`;
  return h('div', { class: `hand ${tried.holds ? 'ok' : 'not'}`, role: 'status' },
    h('p', null, h('b', null, tried.holds ? '✓ With this line the requirement holds.' : '✗ With this line the requirement does not hold.'), ' ',
      tried.suppressed > 0 ? `${count(tried.suppressed)} records would have to be hidden, ${count(tried.limit)} may be. ` : '',
      `Smallest group ${tried.suppressed > 0 ? 'before that ' : ''}${tried.smallest.map(count).join(' / ')}. Detail lost ${percent(tried.losses.general)} (${change(tried.losses.general, before.losses.general)})`,
      tried.losses.error !== null && before.losses.error !== null ? `, error ${percent(tried.losses.error)} (${change(tried.losses.error, before.losses.error)})` : '', '.'),
    h('div', { class: 'row' },
      h('button', { type: 'button', class: 'primary', disabled: !tried.holds, title: 'Keep what was moved, and let the search do the rest', on: { click: act.pinMoved } }, 'Pin it and search on'),
      h('button', { type: 'button', class: 'quiet', disabled: !tried.holds, title: 'Leave the search no choice', on: { click: act.pinAll } }, 'Pin the whole line'),
      h('button', { type: 'button', class: 'quiet', on: { click: act.takeBack } }, 'Take back')));
}

function groups(view) {
  return h('section', { class: 'panel' }, h('h3', null, 'Groups'),
    view.qids.map((qid) => h('div', { class: 'group' }, view.qids.length > 1 ? h('p', { class: 'lead' }, qid.attributes.join(', ')) : null, h('div', { class: 'two' }, sizes(qid), risks(qid)))));
}

function gives() {
  const looks = state.looks.value;
  const body = looks === null ? h('p', { class: 'lead' }, 'looking at the published columns …')
    : looks.failed ? h('p', { class: 'lead' }, looks.failed)
      : [
        looks.refused.map(([name, like]) => h('p', { class: 'finding' }, h('b', null, name), ` looks like ${like}. Nothing is published before it is left out, replaced by tokens, or masked.`)),
        looks.warnings.length === 0 && looks.refused.length === 0 ? h('p', null, 'No column was found that names persons or gives a masked value away.') : h('ul', null, looks.warnings.map((warning) => h('li', null, prose(warning)))),
      ];
  return h('section', { class: 'panel' }, h('h3', null, 'What other columns give away'), body);
}

function models() {
  const found = state.models.value;
  const target = state.result.value.spec.purpose.target;
  if (!target) return null;
  const row = (measure) => h('tr', null, h('th', { scope: 'row' }, measure.name), ['baseline', 'masked', 'removed'].map((what) => h('td', { class: 'number' }, percent(measure[what]))));
  return h('section', { class: 'panel' }, h('h3', null, 'What it costs a model'),
    found === null ? [h('p', { class: 'lead' }, `Models learn to predict ${target} from two thirds of the records and are tested with the others.`), h('button', { type: 'button', class: 'quiet', on: { click: act.learn } }, 'Measure it')]
      : [h('table', { class: 'risks' }, h('thead', null, h('tr', null, h('td', null), ['raw', 'masked', 'without'].map((head) => h('th', { scope: 'col', class: 'number' }, head)))), h('tbody', null, found.measures.map(row))),
        h('p', { class: 'lead' }, `“Without” is the raw table without the masked attributes; ${found.split}.`)]);
}

function shown() {
  const result = state.result.value;
  if (result === null) return h('p', { class: 'lead waiting' }, state.fault.value ? 'There is no result yet.' : 'searching …');
  const { view } = result;
  return [
    verdict(view), summary(view),
    live(hand),
    h('h3', { class: 'lines-title' }, 'The line through each attribute'),
    live(clicks),
    live(cards),
    h('div', { class: 'panels' }, groups(view), live(gives), live(models)),
    h('section', { class: 'panel' }, h('h3', null, 'Some records'), h('p', { class: 'lead' }, 'Raw values are shown here, in your browser, and in no release.'), rows(view.rows)),
    view.notes.length > 0 ? h('aside', { class: 'warnings' }, h('h3', null, 'Notes'), h('ul', null, view.notes.map((note) => h('li', null, prose(note))))) : null,
  ];
}

export const result = () => h('section', { class: 'result-view' },
  h('div', { class: 'title' }, h('h2', null, 'Result'), h('div', { class: 'tools' },
    h('button', { type: 'button', class: 'quiet', on: { click: () => { act.keep(); act.go('compare'); } } }, 'Compare'),
    h('button', { type: 'button', class: 'primary', on: { click: () => act.go('publish') } }, 'Publish'))),
  h('div', { class: 'with-side' }, controls(), live(shown, 'div', { class: 'live shown' })));
