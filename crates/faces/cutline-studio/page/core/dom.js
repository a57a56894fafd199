// Elements from functions. Texts are always texts: nothing is ever read as markup.

import { effect } from './reactive.js';

const SVG = 'http://www.w3.org/2000/svg';

function put(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name === 'on') {
    for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
  } else if (name === 'style') {
    for (const [property, said] of Object.entries(value)) element.style.setProperty(property, said);
  } else if (name === 'data') {
    Object.assign(element.dataset, value);
  } else if (name in element && !name.includes('-') && !(element instanceof SVGElement) && name !== 'list' && name !== 'form') {
    element[name] = value;
  } else {
    element.setAttribute(name, value === true ? '' : value);
  }
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === true) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

function make(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) put(element, name === 'class' && element instanceof HTMLElement ? 'className' : name, value);
  add(element, children);
  return element;
}

/** An element. */
export const h = (tag, props, ...children) => make(document.createElement(tag), props, children);

/** An element of a picture. */
export const s = (tag, props, ...children) => make(document.createElementNS(SVG, tag), props, children);

/** A place whose content follows what it reads. Who has the focus in it keeps it, if it is still there by its key. */
export function live(compute, tag = 'div', props = { class: 'live' }) {
  const place = h(tag, props);
  effect(() => {
    const made = [compute()].flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
    const active = place.contains(document.activeElement) ? document.activeElement.closest('[data-key]')?.dataset.key : undefined;
    place.replaceChildren(...made);
    if (active !== undefined) place.querySelector(`[data-key="${CSS.escape(active)}"]`)?.focus({ preventScroll: true });
  });
  return place;
}

/** A sentence in which names stand between backticks. */
export const prose = (text) => text.split('`').map((part, at) => (at % 2 === 1 ? h('code', null, part) : part));

let ids = 0;

/** A name for an element that labels refer to. */
export const unique = (stem) => `${stem}-${ids += 1}`;
