import { LIST_NAMES } from '@verdict/contracts/account-list.js';
import { IMPORT_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { ImportBodySchema, ImportReplySchema } from '@verdict/contracts/dashboard/lists-api.js';
import { unpackBody } from '@verdict/service-kit/unpack-body.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { inAccountTurn } from '../../http/in-account-turn.js';
import { importEntries } from '../import-entries.js';
import { readImportFile } from '../read-import-file.js';

/** Many entries at once, as JSON or as a CSV file. Its own scope: no other route takes a file for its body. */
export async function importListsRoutes(app: ControlPlaneApp, deps: Dependencies): Promise<void> {
  await app.register(async (scope: ControlPlaneApp) => {
    scope.addHook('onRequest', inAccountTurn(deps));
    // Either way the rows pass the schema of the body.
    scope.addContentTypeParser(
      'text/csv',
      { parseAs: 'buffer' },
      async (request: FastifyRequest, bytes: Buffer) => ({
        entries: await readImportFile(await unpackBody(request, bytes), request.headers['content-type']),
      }),
    );
    for (const list of LIST_NAMES) {
      scope.post(
        `/lists/${list}/import/`,
        {
          bodyLimit: IMPORT_BYTES_MAX,
          schema: {
            tags: ['lists'],
            summary: `Add many entries to the ${list} list; rows that are wrong are named, the others taken`,
            description: 'As JSON, or as CSV with the columns of `export.csv`.',
            body: ImportBodySchema,
            response: {
              200: ImportReplySchema,
              ...errorReplies(400, 401, 'unreadable_file', 'change_pending'),
            },
          },
        },
        async (request) => importEntries(deps, request, list, request.body.entries),
      );
    }
  });
}
