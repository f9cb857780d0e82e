import { ACCOUNT_ROUTES } from '@verdict/contracts/routes/account-routes.js';
import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import { subjectLines } from '@verdict/db/erasure/subject-lines.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { subjectKeys } from '@verdict/domain/address/subject-keys.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { sendNdjson } from '../../http/send-ndjson.js';

/** Answers a person's question to the customer, and erases the person for this account. The record of it names no person. */
export function subjectRoute(
  app: ControlPlaneApp,
  { config, db, createId, largeWork }: Pick<Dependencies, 'config' | 'db' | 'createId' | 'largeWork'>,
): void {
  attach(app, ACCOUNT_ROUTES.subject, async (request, reply) => {
    const { account } = request.caller;
    const parsed = parseEmail(request.body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    await appendAudit(
      db,
      account.id,
      auditOf(createId, request, { action: 'subject.exported', target: account.id }),
    );
    const keys = subjectKeys(request.body.email, config.EMAIL_HASH_SECRET);
    const signal = whileOpen(reply);
    let isUnderWay = false;
    const lines = subjectLines(db, keys, account.id, (read) => {
      const reading = largeWork(account.id, read, { signal, isUnderWay });
      isUnderWay = true;
      return reading;
    });
    return sendNdjson(reply, 'verdict-subject.ndjson', textOf(lines));
  });

  attach(app, ACCOUNT_ROUTES.eraseSubject, async (request, reply) => {
    const { account } = request.caller;
    const parsed = parseEmail(request.body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message);
    const id = createId('era');
    const erasure = await account.erasures.request(
      id,
      subjectKeys(request.body.email, config.EMAIL_HASH_SECRET),
      auditOf(createId, request, { action: 'subject.erased', target: id }),
    );
    return reply.code(202).send({ success: true, erasure });
  });

  attach(app, ACCOUNT_ROUTES.subjectErasure, async ({ caller: { account }, params }) => {
    const erasure = await account.erasures.find(ownId('era', params.id));
    if (!erasure) throw nothingHere();
    return { success: true, erasure };
  });
}

async function* textOf(lines: AsyncIterable<{ readonly type: string; readonly row: object }>) {
  for await (const { type, row } of lines) yield `${JSON.stringify({ type, ...row })}\n`;
}
