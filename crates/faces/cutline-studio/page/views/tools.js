// A spec as a file: everything that is set in the page.

import { h } from '../core/dom.js';
import { tidy } from '../spec.js';
import { act, spec, state } from '../state.js';
import { wire } from '../wire.js';
import { download } from './parts.js';

async function keep() {
  try {
    const { toml } = await wire.writeSpec(tidy(spec.peek()), '');
    download('release.toml', toml);
  } catch (fault) {
    state.fault.value = { text: fault.message, hint: fault.hint };
  }
}

export const specTools = () => [
  h('button', { type: 'button', class: 'quiet', on: { click: keep } }, 'Download the spec'),
  h('label', { class: 'quiet button' }, 'Open a spec',
    h('input', { type: 'file', class: 'aloud', accept: '.toml', on: { change: async (event) => event.target.files[0] && act.openText(await event.target.files[0].text()) } })),
];
