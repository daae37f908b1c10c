import {
  RestoredVersion,
  RestoreVersionBody,
  VERSIONS_PAGE,
  VersionChange,
  VersionItem,
  VersionsPage,
} from '../../../shared/api/versions.ts'
import { nameOf, parsePath } from '../../../shared/path.ts'
import { asAppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { restoreVersion } from '../../files/restore-version.ts'
import type { SeenVersion } from '../../files/versions.ts'
import { etagOf, expectedVersion } from '../../responses/conditions.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { callerOf, clientGone, parameterOf, queryOf, type Route, remark, target } from '../../routing/route.ts'
import { type KeptContentDeps, keptContentRoutes, missingIfOff } from './content.ts'

export interface VersionDeps extends KeptContentDeps {
  files: FilesService
  config: { versionsDays: number }
}

const DAY = 86_400_000

/** Versions of files (http-api 22): former contents, their names, and the ways back and out. */
export function versionRoutes(deps: VersionDeps): Route[] {
  const { files, config } = deps
  const present = (version: SeenVersion) => presentVersion(version, config.versionsDays)
  return [
    {
      method: 'GET',
      path: '/api/versions/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'List the versions of a file, the newest first',
        query: { before: 'The id of the last version of the page before.' },
        answers: {
          200: { text: `The file as it is, and up to ${VERSIONS_PAGE} former contents.`, schema: VersionsPage },
        },
        refuses: [403, 404, 409],
      },
      async handler(request): Promise<VersionsPage> {
        const { path } = target(request)
        const own = await files.for(callerOf(request).user)
        const { current, items, ...more } = await own.versions.list(path, queryOf(request, 'before'), VERSIONS_PAGE)
        const { outside, ...about } = more
        const { name, size, modified, version } = current
        const now = { name, path, size, modified: rfc3339(modified), version, outside }
        return { current: now, items: items.map(present), ...about }
      },
    },
    {
      method: 'POST',
      path: '/api/versions/*',
      access: 'user',
      token: 'write',
      records: 'version.restore',
      schema: RestoreVersionBody,
      describes: {
        summary: 'Restore a version of a file',
        headers: { 'If-Match': 'The version of the file that may be replaced.' },
        answers: {
          200: {
            text: 'The file has that content; the current one is a version.',
            headers: { ETag: 'Version of the file.', 'X-Kept': 'The id of the version that the content became.' },
            schema: RestoredVersion,
          },
        },
        refuses: [403, 404, 409, 410, 412, 507],
      },
      async handler(request, reply): Promise<RestoredVersion> {
        const { path } = target(request)
        const { id, how, to } = request.body as RestoreVersionBody
        const own = await files.for(callerOf(request).user)
        const ifMatch = expectedVersion(request.headers['if-match'])
        const written = await restoreVersion(own, path, {
          id,
          how,
          signal: clientGone(request, reply),
          ...(to !== undefined && { to: parsePath(to) }),
          ...(ifMatch !== undefined && { ifMatch }),
        })
        const { kept } = written
        if (how === 'copy') remark(request, { goal: written.path })
        if (kept !== undefined) reply.header('X-Kept', kept)
        reply.header('ETag', etagOf(written.version))
        return { path: written.path, ...(kept !== undefined && kept !== 'no' && { kept }) }
      },
    },
    {
      method: 'PATCH',
      path: '/api/kept/:id',
      access: 'user',
      token: 'write',
      records: 'nothing',
      schema: VersionChange,
      describes: {
        summary: 'Name or pin a version of a file',
        path: 'The id of a version.',
        answers: { 200: { text: 'The version.', schema: VersionItem } },
        refuses: [403, 404, 409],
      },
      async handler(request): Promise<VersionItem> {
        const own = await files.for(callerOf(request).user)
        return present(await own.versions.change(parameterOf(request, 'id'), request.body as VersionChange))
      },
    },
    {
      method: 'DELETE',
      path: '/api/kept/:id',
      access: 'user',
      token: 'write',
      records: 'version.remove',
      describes: {
        summary: 'Delete a version of a file, or a thing in the trash, for good',
        path: 'The id of a version, or of a thing in the trash.',
        answers: { 204: { text: 'It is deleted.' } },
        refuses: [403, 404, 410],
      },
      async handler(request, reply) {
        const { user } = callerOf(request)
        const own = await files.for(user)
        const id = parameterOf(request, 'id')
        const version = await own.versions.find(id).catch(unlessOther)
        const gone = version ? await own.versions.remove(id) : await own.trash.purge(id).catch(missingIfOff)
        remark(request, { path: await files.placeOf(user, gone.path), ...(!version && { action: 'purge' }) })
        // The response does not wait for the space.
        void own.trash.clear([gone])
        return reply.code(204).send()
      },
    },
    ...keptContentRoutes(deps),
  ]
}

/** An id that is no version's may be that of a thing in the trash. */
function unlessOther(thrown: unknown): undefined {
  if (asAppError(thrown).code !== 'not_found') throw thrown
}

function presentVersion(version: SeenVersion, days: number): VersionItem {
  const { id, path, size, modified, replacedAt, username, isOwn, reason, label, pinned, isAway } = version
  return {
    id,
    name: nameOf(path),
    path,
    size,
    modified: rfc3339(modified),
    replaced: rfc3339(replacedAt),
    by: username,
    mine: isOwn,
    reason,
    pinned,
    ...(label !== undefined && { label }),
    ...(days > 0 && !pinned && { until: rfc3339(replacedAt + days * DAY) }),
    ...(isAway && { away: true }),
  }
}
