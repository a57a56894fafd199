// Publish: as the command would, with the same checks.

import { h, live } from '../core/dom.js';
import { count, counted } from '../core/format.js';
import { signal } from '../core/reactive.js';
import { isElsewhere, tidy, withOutput } from '../spec.js';
import { act, spec, state } from '../state.js';
import { wire } from '../wire.js';
import { download, field, toggle } from './parts.js';

const folder = signal('published');
const replace = signal(false);
const written = signal(null);

async function refresh() {
  try {
    written.value = await wire.writeSpec(tidy(spec.peek()), folder.peek());
  } catch (fault) {
    written.value = { failed: fault.message };
  }
}

function copy(text) {
  const button = h('button', { type: 'button', class: 'quiet' }, 'Copy');
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  });
  return button;
}

const code = (title, text) => h('div', { class: 'code' }, h('div', { class: 'row' }, h('h4', null, title), copy(text)), h('pre', { tabindex: '0' }, text));

function told() {
  const now = written.value;
  if (now === null) return null;
  if (now.failed) return h('p', { class: 'finding' }, now.failed);
  return [
    now.told.needs_file ? h('p', { class: 'lead' }, 'Some of it can be said in a spec alone: download it first.') : null,
    code('The same with the command', now.told.command), now.told.python === null ? null : code('The same in Python', now.told.python),
    h('details', null, h('summary', null, 'The spec'), code('release.toml', now.toml), h('button', { type: 'button', class: 'quiet', on: { click: () => download('release.toml', now.toml) } }, 'Download the spec')),
  ];
}

function done() {
  const published = state.published.value;
  if (published === null) return null;
  return h('div', { class: 'done', role: 'status' }, h('h3', null, '✓ Published and verified'),
    h('p', null, `${counted(published.records, 'record')} in `, published.into === null ? null : [h('code', null, published.into), ' beside the records; what is said of them in '], h('code', null, published.folder), `, ${published.suppressed > 0 ? `${count(published.suppressed)} of them hidden` : 'none hidden'}. The written table was read back and recounted.`),
    h('ul', null, published.qids.map(([attributes, k, anonymity]) => h('li', null, `${attributes.join(', ')}: every group has at least ${count(anonymity)} records (k = ${count(k)})`))),
    h('p', null, h('a', { href: wire.report, target: '_blank', rel: 'noopener' }, 'Open the full report'), ' (for you alone). Give away only what is in ', h('code', null, 'public/'), '.'));
}

/** The table that appears beside the records, if they are on a server. */
function beside() {
  const into = h('input', { type: 'text', required: true, spellcheck: false, value: spec.peek().output?.into ?? '', placeholder: 'patients_public', data: { key: 'into' } });
  into.addEventListener('input', () => {
    spec.value = withOutput(spec.peek(), { into: into.value.trim() || undefined });
    refresh();
  });
  return field('Table beside the records', into);
}

export function publish() {
  const elsewhere = isElsewhere(spec.peek());
  refresh();
  const name = h('input', { type: 'text', value: folder.peek(), spellcheck: false, data: { key: 'folder' } });
  name.addEventListener('input', () => {
    folder.value = name.value.trim();
    refresh();
  });
  return h('section', { class: 'narrow publish-view' },
    h('h2', null, 'Publish'),
    h('p', { class: 'lead' }, elsewhere ? 'A table appears beside the records and a folder with what is said of it here, complete and verified, or not at all.' : 'A folder appears beside the table, complete and verified, or not at all.'),
    h('form', { class: 'publish', on: { submit: (event) => { event.preventDefault(); act.publish(folder.peek(), replace.peek()); } } },
      elsewhere ? beside() : null, field('Folder', name), toggle('Replace a release that is there', replace.peek(), (on) => { replace.value = on; }),
      live(() => h('button', { type: 'submit', class: 'primary', disabled: state.busy.value !== null || folder.value === '' }, 'Publish'))),
    live(done), live(told));
}
