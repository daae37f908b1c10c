import { Readable } from 'node:stream'
import { setImmediate as othersFirst } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RecursiveItem } from '../../../shared/api/resources.ts'
import { type FilePath, ROOT, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { isUnread, type WalkItem } from '../../files/walk.ts'
import { formatFor, reportUnread, type SeveralFormat, type Unread } from '../../responses/ndjson.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { clientGone } from '../../routing/route.ts'

/** The path segment for a recursive listing, which may also be the name of a real entry. */
export const RECURSIVE = trustedChild(ROOT, 'recursive')

/** Characters buffered before they are sent. */
const CHUNK = 64 * 1024

/** Whether an entry of that name exists in the user's root, which then wins (http-api 3.7). */
export async function isRealName(files: Files): Promise<boolean> {
  return files.info(RECURSIVE).then(
    () => true,
    () => false,
  )
}

/**
 * Sends everything below a folder as one flat JSON array, or one entry a line, during the walk: depth first, names in
 * byte order (http-api 3.7). Folders that cannot be read are left out, and counted at the end.
 * @throws not_found, bad_request for anything but a folder
 */
export async function sendRecursively(
  request: FastifyRequest,
  reply: FastifyReply,
  files: Files,
  folder: FilePath,
): Promise<FastifyReply> {
  const entry = await files.info(folder)
  if (entry.kind !== 'folder') throw new AppError('bad_request', 'path is not a directory')
  const groups = await files.walk(folder, { signal: clientGone(request, reply) })
  const format = formatFor(request)
  const count = { unread: 0 }
  reportUnread(request, reply, count)
  return reply.type(format.type).send(Readable.from(textOf(groups, format, count), { objectMode: false }))
}

async function* textOf(
  groups: AsyncIterable<WalkItem[]>,
  format: SeveralFormat,
  count: Unread,
): AsyncGenerator<string> {
  let text = format.start
  let separator = ''
  for await (const items of groups) {
    for (const { entry, skipped } of items) {
      if (skipped && isUnread(skipped)) count.unread += 1
      if (!entry) continue
      text += separator + JSON.stringify(itemOf(entry)) + format.after
      separator = format.between
    }
    if (text.length < CHUNK) continue
    yield text
    text = ''
    // Thousands of entries may be available without waiting.
    await othersFirst()
  }
  yield text + format.end(count)
}

function itemOf({ path, name, size, modified, kind }: Entry): RecursiveItem {
  return { path, name, size, modified: rfc3339(modified), isDir: kind === 'folder' }
}
