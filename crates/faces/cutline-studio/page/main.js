// The page: a header, and the view of the step that somebody is at.

import { h, live, prose } from './core/dom.js';
import { effect, untracked } from './core/reactive.js';
import { act, state } from './state.js';
import { columns } from './views/columns.js';
import { compare } from './views/compare.js';
import { header } from './views/header.js';
import { publish } from './views/publish.js';
import { result } from './views/result.js';
import { table } from './views/table.js';
import { taxonomy } from './views/taxonomy.js';

const views = { table, columns, result, compare, publish };

document.getElementById('top').replaceChildren(...header());
document.getElementById('main').replaceChildren(live(() => {
  const step = state.step.value;
  const editing = state.editing.value;
  return untracked(() => (editing === null ? views[step]() : taxonomy(editing)));
}));

effect(() => {
  const fault = state.fault.value;
  document.getElementById('toast').replaceChildren(...(fault === null ? [] : [
    h('div', { class: 'fault' }, prose(fault.text), fault.hint ? h('small', null, prose(fault.hint)) : null, h('button', { type: 'button', class: 'x', 'aria-label': 'Close', on: { click: () => { state.fault.value = null; } } }, '×')),
  ]));
});

// What is dropped anywhere is opened.
for (const kind of ['dragover', 'drop']) {
  document.addEventListener(kind, (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (kind === 'drop' && file) act.drop(file);
  });
}

act.begin();
