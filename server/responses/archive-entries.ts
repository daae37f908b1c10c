import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ArchiveFolder } from '../../shared/api/archives.ts'
import { type FilePath, parseEncodedPath, trustedChild } from '../../shared/path.ts'
import { DEFAULT_SORTING, sortItems } from '../../shared/sorting.ts'
import type { IndexEntry } from '../archives/read/archive-index.ts'
import type { ArchiveIndexes } from '../archives/read/index-cache.ts'
import { findFile, memberContent } from '../archives/read/member.ts'
import { within } from '../archives/write/range.ts'
import { AppError } from '../errors.ts'
import { kindByName, mimeOf } from '../file-types/file-type.ts'
import type { ByteRange, OpenFile } from '../files/types.ts'
import { clientGone, queryOf } from '../routing/route.ts'
import { etagOf } from './conditions.ts'
import { storedHeaders } from './content-headers.ts'
import { sendContent } from './send.ts'
import { httpDate, presentItem } from './serializers.ts'

/** Images that are shown inline from an archive; everything else that is no text is an attachment. */
const SHOWN = new Set('image/png image/jpeg image/gif image/webp image/avif image/bmp'.split(' '))

/**
 * A folder in an archive. Takes ownership of the file, which is always closed. @throws not_found, not_a_folder, see
 * `indexArchive`
 */
export async function listArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  indexes: ArchiveIndexes,
): Promise<ArchiveFolder> {
  try {
    const place = placeOf(request, 'in')
    const { folders, unnamed, more } = await indexes.of(file, clientGone(request, reply))
    const items = folders.get(place)
    if (!items) throw new AppError('not_found')
    const presented = Array.from(items.values(), entry => presentMember(entry, place, file.entry.modified))
    return { path: place, items: sortItems(presented, DEFAULT_SORTING), unnamed, more }
  } finally {
    await file.close()
  }
}

function presentMember(entry: IndexEntry, folder: FilePath, fallback: number) {
  const { name, kind, size, modified = fallback, mode = 0, encrypted } = entry
  const item = { name, path: trustedChild(folder, name), kind, isLink: kind === 'link', size, modified, mode }
  return { ...presentItem(item), encrypted }
}

/**
 * Sends a file in an archive. Anything but text and a few image types is sent as an attachment. Takes ownership of the
 * file, which is always closed.
 * @throws not_found, is_a_folder, special_file, encrypted, undecodable, unsupported
 */
export async function sendMember(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  indexes: ArchiveIndexes,
): Promise<FastifyReply> {
  let close = () => file.close()
  try {
    const signal = clientGone(request, reply)
    const {
      name,
      number,
      size,
      modified = file.entry.modified,
    } = findFile(await indexes.of(file, signal), placeOf(request, 'member'))
    const chunks = memberContent(file, number, signal)
    close = async () => {
      await chunks.return(undefined)
      await file.close()
    }
    // An error at the start of the content is reported instead of it.
    const first = request.method === 'HEAD' ? undefined : await chunks.next()
    const bytes = first?.done === false ? joined(first.value, chunks) : chunks
    const stream = (range?: ByteRange) => Readable.from(range ? within(bytes, range) : bytes, { objectMode: false })
    const etag = etagOf(`${file.entry.version}-${number}`)
    reply.headers({
      ...memberHeaders(name, queryOf(request, 'inline') === 'true'),
      'Accept-Ranges': 'bytes',
      'Last-Modified': httpDate(modified),
      ETag: etag,
    })
    return await sendContent(request, reply, { size, inParts: false, stream, close }, { etag, modified })
  } catch (thrown) {
    await close()
    throw thrown
  }
}

/** @throws PathError */
function placeOf(request: FastifyRequest, parameter: string): FilePath {
  return parseEncodedPath(queryOf(request, parameter) ?? '/')
}

function memberHeaders(name: string, wished: boolean): Record<string, string> {
  if (SHOWN.has(mimeOf(name))) return storedHeaders(name, wished)
  return storedHeaders(name, wished && kindByName(name, 0) === 'text', 'text/plain')
}

async function* joined(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}
