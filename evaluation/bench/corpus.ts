/** Addresses in about the mix of a sign-up form: half free providers, a third companies, the rest trouble. */
export function createCorpus(): string[] {
  const people =
    'jane.doe john.smith maria li.wei anna_k t.mueller o.brien+news priya.n carlos77 Sven.Larsson'.split(' ');
  const free =
    'gmail.com outlook.com yahoo.com hotmail.co.uk icloud.com web.de proton.me orange.fr mail.ru qq.com'.split(
      ' ',
    );
  const trouble = [
    'test@mailinator.com',
    'x@a.b.yopmail.com',
    'joe@museumpi.com',
    'owner@paragonmaps.net',
    'li.na@gmial.com',
    'kim@hotmial.com',
    'info@acme-widgets.com',
    'no-reply@acme-widgets.com',
    'a8k2j9x7@free-thing.dynv6.net',
    'xkqzvbnt93@cheap-thing.xyz',
    'anna@duck.com',
    'josé@acme-widgets.com',
    'info@bücher-shop.de',
    '"odd name"@acme-widgets.com',
    'ivan@gmаil.com',
  ];
  const corpus: string[] = [];
  for (let index = 0; index < 1000; index++) {
    const person = people[index % people.length] ?? '';
    corpus.push(`${person}${index}@${free[index % free.length]}`);
    if (index % 3 !== 0) corpus.push(`${person}@company-number-${index % 300}.com`);
    if (index % 3 === 0) corpus.push(trouble[(index / 3) % trouble.length] ?? '');
  }
  return corpus;
}
