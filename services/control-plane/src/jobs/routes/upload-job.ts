import multipart from '@fastify/multipart';
import { UPLOAD_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { ACTIVE_JOBS_MAX } from '@verdict/contracts/jobs-api.js';
import { JOB_ROUTES } from '@verdict/contracts/routes/job-routes.js';
import { offerFile } from '@verdict/db/bulk/bulk-file.js';
import type { BulkJobRow } from '@verdict/db/bulk/bulk-job-row.js';
import { abandonUpload, finishUpload } from '@verdict/db/bulk/bulk-upload.js';
import { filesFill } from '@verdict/db/bulk/files-fill.js';
import { attach } from '@verdict/service-kit/attach.js';
import { idempotencyMismatch, invalidField } from '@verdict/service-kit/errors.js';
import { allowLongUpload } from '@verdict/service-kit/long-uploads.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { upgradeBeyond } from '../../http/upgrade-beyond.js';
import { limitsOf } from '../../projection/project-account.js';
import { chargedKey } from '../charged-key.js';
import { checkHead } from '../check-head.js';
import { filesFull, jobState, tooManyJobs } from '../job-errors.js';
import { readAllowance } from '../read-allowance.js';
import { readBody, type SentFile } from '../read-body.js';
import { readHead } from '../read-head.js';
import { showJob } from '../show-job.js';
import { storeFile } from '../store-file.js';
import { storeUpload } from '../store-upload.js';

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;
const FORM_LIMITS = {
  files: 1,
  fields: 8,
  fieldSize: 1_000,
  headerPairs: 50,
  fileSize: UPLOAD_BYTES_MAX + 1,
};

/** POST /jobs/: streams a file to Postgres. In a separate scope, because no hook may read the body first. */
export async function uploadJobRoute(app: ControlPlaneApp, deps: Dependencies): Promise<void> {
  await app.register(async (scope: ControlPlaneApp) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { limits: FORM_LIMITS, throwFileSizeLimit: false });
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    attach(
      scope,
      JOB_ROUTES.upload,
      async (request, reply) => {
        const row = await takeFile(deps, request, await readBody(request, request.query));
        const allowance = await readAllowance(deps, request.keyCaller.account);
        return reply.code(202).send({ success: true, job: showJob(row, allowance) });
      },
      {
        onRequest: async (request) => allowLongUpload(request.raw),
      },
    );
  });
}

async function takeFile(deps: Dependencies, request: FastifyRequest, file: SentFile): Promise<BulkJobRow> {
  const { db, createId, plans, bulkStore } = deps;
  const { account, jobs, userId } = request.keyCaller;
  const { format, charset, source, wishes } = file;
  const keyId = await chargedKey(request.keyCaller, wishes.api_key_id);
  const idempotencyKey = readIdempotencyKey(request);
  const known = idempotencyKey === null ? undefined : await jobs.findByIdempotencyKey(idempotencyKey);
  if (known) return ownJob(known, keyId);

  await bulkStore.refuseWhenFull();
  const plan = limitsOf(plans, await account.subscription.plan());
  const { bulkRowsMax: rowsMax, bulkKeptBytes: keptBytesMax } = plan;
  const id = createId('job');
  const audit = auditOf(createId, request, { action: 'job.created', target: id });
  const starts = wishes.start === 'auto';
  const job = { id, keyId, userId, name: wishes.name ?? null, format, starts, idempotencyKey, keptBytesMax };
  if (!(await jobs.create(job, audit))) {
    const twin = idempotencyKey === null ? undefined : await jobs.findByIdempotencyKey(idempotencyKey);
    if (twin) return ownJob(twin, keyId);
    if (await filesFill(db, account.id, keptBytesMax))
      throw filesFull(keptBytesMax, upgradeBeyond(plans, 'bulkKeptBytes', keptBytesMax));
    throw tooManyJobs(ACTIVE_JOBS_MAX);
  }
  try {
    const kind = { format, charset, column: wishes.column };
    const limit = { rowsMax, upgrade: upgradeBeyond(plans, 'bulkRowsMax', rowsMax) };
    const { chunks, whole } = await readHead(source, (head) => checkHead(head, kind, limit));
    if (whole) {
      const { parts, bytes } = await storeFile(db, id, whole);
      await offerFile(db, id, { ...kind, parts, rowsMax }, bytes);
    } else {
      const { layout, totals } = await storeUpload(db, { ...kind, ...limit, jobId: id, source: chunks });
      await finishUpload(db, id, layout, totals);
    }
  } catch (error) {
    // The worker deletes later what the database refuses to delete now.
    await abandonUpload(db, id).catch(() => undefined);
    throw error;
  }
  const row = await jobs.find(id);
  if (!row) throw jobState('deleted');
  return row;
}

function readIdempotencyKey(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return null;
  if (typeof value !== 'string' || !IDEMPOTENCY_KEY.test(value)) {
    throw invalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  }
  return value;
}

/** Jobs are of the key that they are charged to: what another key sent is not shown for a name that both gave. */
function ownJob(job: BulkJobRow, keyId: string): BulkJobRow {
  if (job.key_id !== keyId) throw idempotencyMismatch();
  return job;
}
