import { startSmtpServer } from '@verdict/local-stack/start-smtp-server.js';
import t from 'tap';
import { LINK_SECONDS, lifeSecondsOf, type Mail } from '../src/mail.js';
import { createMailTransport, isRefused } from '../src/mail-transport.js';
import { renderMail } from '../src/render-mail.js';

const occasion = { at: '2026-11-15T16:00:00.000Z', ip: '192.0.2.1' };
const MAILS: readonly Mail[] = [
  { kind: 'registration', token: 'T', occasion },
  { kind: 'already_registered', occasion },
  { kind: 'password_reset', token: 'T', occasion },
  { kind: 'address', token: 'T', occasion },
  { kind: 'new_login', userAgent: null, occasion },
  { kind: 'codes_guessed', occasion },
  { kind: 'new_key', name: '<img src=x> "till"', rolled: false, occasion },
  { kind: 'new_key', name: 'till', rolled: true, occasion },
  { kind: 'password_changed', occasion },
  { kind: 'second_factor_changed', on: true, occasion },
  { kind: 'second_factor_changed', on: false, occasion },
];

t.test('every mail says when and from where, in both forms, and links only to us', async (t) => {
  for (const mail of MAILS) {
    const { subject, text, html } = renderMail(mail, 'https://verdict.example/');
    t.ok(subject.length > 5 && !/\n/.test(subject), mail.kind);
    t.match(text, /\n-- \nVerdict\n$/, 'the text is whole');
    t.match(html, /^<!doctype html>.*<\/html>\n$/s, 'and so is the page');
    for (const form of [text, html]) {
      t.match(form, /2026-11-15 16:00 UTC/, mail.kind);
      t.match(form, /192\.0\.2\.1/, mail.kind);
    }
    for (const [link] of `${text}${html}`.matchAll(/https?:\/\/[^\s"<]+/g))
      t.ok(link.startsWith('https://verdict.example/') && !link.includes('example//'), link);
    t.notMatch(html, /<img|<script/, 'what people call things is text');
  }
});

t.test('an invoice by mail says what is to be paid, and until when', async (t) => {
  const facts = { number: 'INV-000007', amount: '22.61 EUR', dueOn: '15 November 2026' };
  const issued = { kind: 'invoice_issued', credit: false, month: 'October 2026', ...facts } as const;
  const textOf = (mail: Mail) => renderMail(mail, 'https://verdict.example').text;
  t.match(
    textOf(issued),
    /^Invoice INV-000007 for October 2026 is attached\.\n\nPlease pay 22\.61 EUR by 15 November 2026\./,
  );
  t.match(textOf({ ...issued, amount: null }), /nothing to pay/);
  t.match(textOf({ ...issued, credit: true }), /^Credit note INV-000007[\s\S]*It credits 22\.61 EUR\./);
  t.match(
    textOf({ kind: 'invoice_overdue', ...facts }),
    /not received 22\.61 EUR[\s\S]*due on 15 November 2026/,
  );
  t.ok(lifeSecondsOf('invoice_issued') > lifeSecondsOf('new_key'));
});

t.test('a mail about an attack says what repeats, and leads to the page that stops it', async (t) => {
  const facts = {
    what: 'network 5.9.12.0/24',
    checks: '300',
    decided: '22 allowed',
    since: '19 November 2026, 13:00 UTC',
  };
  const begun = renderMail(
    { kind: 'burst_started', usual: 'It hardly ever occurs otherwise.', ...facts },
    'https://v.example',
  );
  t.equal(begun.subject, 'Repeated sign-ups: network 5.9.12.0/24');
  t.match(
    begun.text,
    /300 checks since 19 November 2026, 13:00 UTC: 22 allowed\.[\s\S]*https:\/\/v\.example\/\n/,
  );
  const over = renderMail({ kind: 'burst_ended', ...facts }, 'https://v.example');
  t.equal(over.subject, 'Repeated sign-ups are over: network 5.9.12.0/24');
});

const INVITATION: Mail = { kind: 'invitation', token: 'T', by: 'ann@example.com', role: 'analyst' };

t.test('tokens stand behind the #, where no server sees them', async (t) => {
  for (const mail of [...MAILS, INVITATION]) {
    if (!('token' in mail)) continue;
    t.match(
      renderMail(mail, 'https://verdict.example').text,
      /https:\/\/verdict\.example\/[a-z-]+#token=T\n/,
    );
    t.equal(lifeSecondsOf(mail.kind), LINK_SECONDS[mail.kind]);
  }
});

t.test('a real server gets both forms, one recipient and an id that stays the same', async (t) => {
  const smtp = await startSmtpServer();
  t.teardown(() => smtp.stop());
  const transport = createMailTransport(smtp.url, 'Verdict <verdict@mail.example>');
  t.teardown(() => transport.close());
  const rendered = renderMail(
    { kind: 'new_key', name: 'Kasse Zürich, groß', rolled: false, occasion },
    'https://v.example',
  );
  await transport.send('"a,b"@example.com', 'mal_1', rendered);
  await transport.send('"a,b"@example.com', 'mal_1', rendered);
  const [first, second] = smtp.received;
  t.match(first, { from: 'verdict@mail.example', subject: 'New API key', text: /Kasse Zürich, groß/ });
  t.match(first?.html, /Kasse Zürich, groß/);
  t.equal(first?.to.length, 1);
  t.equal(first?.headers['message-id'], second?.headers['message-id']);
});

t.test('a refusal for good is told from one for now', async (t) => {
  const smtp = await startSmtpServer();
  t.teardown(() => smtp.stop());
  const transport = createMailTransport(smtp.url, 'verdict@mail.example');
  t.teardown(() => transport.close());
  const failure = async (code: number) => {
    smtp.refuseWith(code);
    const rendered = renderMail({ kind: 'password_changed', occasion }, 'https://v.example');
    return transport.send('a@example.com', 'mal_2', rendered).then(
      () => null,
      (error: unknown) => error,
    );
  };
  t.equal(isRefused(await failure(550)), true);
  t.equal(isRefused(await failure(451)), false);
  const nowhere = createMailTransport('smtp://127.0.0.1:9', 'verdict@mail.example');
  t.teardown(() => nowhere.close());
  const away = await nowhere
    .send('a@example.com', 'mal_3', renderMail({ kind: 'password_changed', occasion }, 'https://v.example'))
    .catch((error: unknown) => error);
  t.equal(isRefused(away), false);
});
