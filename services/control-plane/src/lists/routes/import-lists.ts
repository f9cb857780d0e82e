import { LIST_ROUTES } from '@verdict/contracts/routes/list-routes.js';
import { LIST_NAMES } from '@verdict/domain/account-list.js';
import { attach } from '@verdict/service-kit/attach.js';
import { unpackBody } from '@verdict/service-kit/unpack-body.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { importEntries } from '../import-entries.js';
import { readImportFile } from '../read-import-file.js';

/** Many entries at once, as JSON or as a CSV file. Its own scope: no other route takes a file for its body. */
export async function importListsRoutes(app: ControlPlaneApp, deps: Dependencies): Promise<void> {
  await app.register(async (scope: ControlPlaneApp) => {
    // Either way the rows pass the schema of the body.
    scope.addContentTypeParser(
      'text/csv',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => ({
        entries: await readImportFile(await unpackBody(request, bytes), request.headers['content-type']),
      }),
    );
    for (const list of LIST_NAMES) {
      attach(scope, LIST_ROUTES[list].import, async (request) =>
        importEntries(deps, request, list, request.body.entries),
      );
    }
  });
}
