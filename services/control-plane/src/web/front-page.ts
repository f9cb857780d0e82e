import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatMoney } from '@verdict/domain/money.js';
import { monthOf } from '@verdict/domain/month.js';
import type { Plan, Plans } from '@verdict/domain/plans.js';
import { pricesIn } from '@verdict/domain/pricing/prices-in.js';
import { formatCount } from '@verdict/invoicing/in-words.js';

export interface FrontPageFacts {
  readonly plans: Plans;
  readonly isSignupOpen: boolean;
}

/** The page that guests see at /, with the prices of this server; null when nothing was built. */
export function readFrontPage(directory: string, { plans, isSignupOpen }: FrontPageFacts) {
  const file = join(directory, 'front.html');
  if (!existsSync(file)) return null;
  const template = readFileSync(file, 'utf8');
  return (origin: string, now: Date): string => {
    const parts: Readonly<Record<string, string>> = {
      register: isSignupOpen ? '<a class="button" href="/register">Register</a>' : '',
      start: isSignupOpen ? '<a class="button" href="/register">Start with a free key</a> ' : '',
      origin,
      plans: `<ul class="plans">${[...pricesIn(plans, monthOf(now)).values()].map(card).join('')}</ul>`,
    };
    return template.replace(/<!-- (\w+) -->/g, (whole, name: string) => parts[name] ?? whole);
  };
}

/** Names of plans hold no letter that HTML would read. */
function card({
  name,
  priceMonth,
  pricePer1000Over,
  checksPerMonth,
  checksPerSecond,
  overage,
  currency,
}: Plan) {
  const lines = [
    `${formatCount(checksPerMonth)} checks a month`,
    `${formatCount(checksPerSecond)} a second`,
    overage === 'bill'
      ? `${formatMoney(pricePer1000Over, currency)} for each further 1,000`
      : 'Stops at the limit, never bills more',
  ];
  const price = priceMonth === 0 ? 'Free' : `${formatMoney(priceMonth, currency)} a month`;
  return `<li><h3>${name}</h3><p class="price">${price}</p>${lines.map((line) => `<p>${line}</p>`).join('')}</li>`;
}
