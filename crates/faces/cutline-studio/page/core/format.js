// Numbers as people read them.

const whole = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const plain = new Intl.NumberFormat('en', { maximumSignificantDigits: 6, useGrouping: false });

export const count = (number) => whole.format(number);
export const brief = (number) => short.format(number);
export const number = (value) => plain.format(value);

const DAY = 86_400_000;

/** A day since 1970-01-01 as a date; the first of a month or of a year as that. */
export const date = (days) => new Date(days * DAY).toISOString().slice(0, 10).replace(/(-01)?-01$/, '');

/** The day of a date, if it is one. */
export const day = (text) => (/^-?\d{4,}(-\d\d){0,2}$/.test(text) ? Date.parse(text) / DAY : NaN);

/** A share of one, as a percentage with as many decimals as it needs. */
export function percent(share) {
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value < 0.01) return '< 0.01 %';
  const digits = value >= 99.95 ? 0 : value >= 1 ? 1 : 2;
  return `${Number(value.toFixed(digits))} %`;
}

const CONDITIONS = {
  'distinct-l': (of, least) => `at least ${least} different values of ${of} in every group`,
  'entropy-l': (of, least) => `values of ${of} in every group spread as over ${least} equally frequent ones`,
  alpha: (of, most) => `no value of ${of} with a share above ${most} in any group`,
  't-close': (of, most) => `${of} in every group distributed as in the whole table, to within ${most}`,
  't-close-ordered': (of, most) => `${of} in every group distributed as in the whole table by its order, to within ${most}`,
};

/** A condition on groups for people; those that have no words are shown as they are written. */
export function condition(text) {
  const [, name, of, limit] = text.match(/^([\w-]+):(.*)=([^=]*)$/) ?? [];
  return CONDITIONS[name]?.(of, limit) ?? text;
}

export const counted = (many, what) => `${count(many)} ${what}${many === 1 ? '' : 's'}`;

/** One in so many. */
export const oneIn = (risk) => (risk > 0 ? `1 in ${count(Math.round(1 / risk))}` : 'none');
