// The trade-off: what is lost against how likely somebody is found.

import { h, s } from '../core/dom.js';
import { percent } from '../core/format.js';

const W = 640;
const H = 300;
const PAD = { left: 58, right: 24, top: 18, bottom: 44 };

function ticks(low, high) {
  const step = 10 ** Math.floor(Math.log10((high - low) / 4 || 1));
  const fit = [1, 2, 5, 10].map((times) => times * step).find((size) => (high - low) / size <= 5) ?? step;
  const first = Math.ceil(low / fit) * fit;
  return Array.from({ length: Math.floor((high - first) / fit + 1e-9) + 1 }, (_, at) => first + at * fit);
}

/** Points `{ x, y, name, chosen }`; x and y are shares. */
export function curve(points, { x, y }) {
  const spread = (values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const pad = (high - low || Math.max(high, 0.01)) * 0.12;
    return [Math.max(0, low - pad), high + pad];
  };
  const [x0, x1] = spread(points.map((point) => point.x));
  const [y0, y1] = spread(points.map((point) => point.y));
  const px = (value) => PAD.left + ((W - PAD.left - PAD.right) * (value - x0)) / (x1 - x0 || 1);
  const py = (value) => H - PAD.bottom - ((H - PAD.top - PAD.bottom) * (value - y0)) / (y1 - y0 || 1);
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
  const path = sorted.map((point, at) => `${at === 0 ? 'M' : 'L'}${px(point.x)} ${py(point.y)}`).join('');
  return h('figure', { class: 'curve' },
    s('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': `${y} against ${x} of ${points.length} results` },
      ticks(x0, x1).map((tick) => [s('line', { class: 'grid', x1: px(tick), x2: px(tick), y1: PAD.top, y2: H - PAD.bottom }), s('text', { x: px(tick), y: H - PAD.bottom + 18, 'text-anchor': 'middle' }, percent(tick))]),
      ticks(y0, y1).map((tick) => [s('line', { class: 'grid', x1: PAD.left, x2: W - PAD.right, y1: py(tick), y2: py(tick) }), s('text', { x: PAD.left - 8, y: py(tick) + 4, 'text-anchor': 'end' }, percent(tick))]),
      s('path', { class: 'through', d: path }),
      points.map((point, at) => s('g', { class: point.chosen ? 'point chosen' : 'point' },
        s('circle', { cx: px(point.x), cy: py(point.y), r: 6 }),
        s('text', { x: px(point.x), y: py(point.y) - 11, 'text-anchor': 'middle', class: 'number' }, at + 1), s('title', null, point.name)))),
    h('figcaption', null, `${y} (up) against ${x} (across); numbers are those of the table`));
}
