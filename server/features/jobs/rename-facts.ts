import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { MAX_JOB_BODY } from '../../../shared/api/jobs.ts'
import { RenameFacts, RenameFactsRequest } from '../../../shared/api/rename.ts'
import { EXIF_BYTES, exifOf, localTime, mayHaveExif } from '../../../shared/exif.ts'
import { type FilePath, nameOf, parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { prefetch } from '../../lib/limit.ts'
import { FORMATS } from '../../responses/ndjson.ts'
import { callerOf, clientGone, type Route } from '../../routing/route.ts'

/** Files read at a time. */
const AHEAD = 4

/** Reads from photos what a rename may put into their names. */
export function renameFactsRoute(files: FilesService): Route {
  return {
    method: 'POST',
    path: '/api/rename/facts',
    access: 'user',
    token: 'read',
    records: 'nothing',
    schema: RenameFactsRequest,
    bodyLimit: MAX_JOB_BODY,
    describes: {
      summary: 'Get when photos were taken, and by which camera',
      answers: {
        200: {
          text: 'A line for each path, in the order given, sent as they are read. Files without such facts have none.',
          type: FORMATS.lines.type,
          schema: RenameFacts,
        },
      },
      refuses: [403],
    },
    async handler(request, reply) {
      const own = await files.for(callerOf(request).user)
      const paths = (request.body as RenameFactsRequest).paths.map(path => parsePath(path))
      for (const path of paths) own.demandRead(path)
      const signal = clientGone(request, reply)
      return reply.type(FORMATS.lines.type).send(Readable.from(linesOf(own, paths, signal), { objectMode: false }))
    },
  }
}

async function* linesOf(own: Files, paths: readonly FilePath[], signal: AbortSignal): AsyncGenerator<string> {
  async function* wanted() {
    for (const path of paths) {
      signal.throwIfAborted()
      yield path
    }
  }
  for await (const facts of prefetch(wanted(), path => factsOf(own, path), { limit: AHEAD }))
    yield `${JSON.stringify(facts)}\n`
}

async function factsOf(own: Files, path: FilePath): Promise<RenameFacts> {
  if (!mayHaveExif(nameOf(path))) return { path }
  try {
    const exif = await exifOf(await beginningOf(own, path))
    return { path, ...(exif?.taken && { taken: localTime(exif.taken) }), ...(exif?.camera && { camera: exif.camera }) }
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return { path }
  }
}

async function beginningOf(own: Files, path: FilePath): Promise<ArrayBuffer> {
  const file = await own.open(path)
  try {
    const end = Math.min(file.entry.size, EXIF_BYTES) - 1
    if (end < 0) return new ArrayBuffer(0)
    return new Uint8Array(await buffer(file.stream({ start: 0, end }))).buffer
  } finally {
    await file.close()
  }
}
