import type { FastifyReply, FastifyRequest } from 'fastify'
import { type FilePath, parseEncodedPath, parsePath } from '../../shared/path.ts'
import { type Archive, makeArchive } from '../archives/write/archive.ts'
import { fillerOf } from '../archives/write/buffer-reader.ts'
import { formatOf } from '../archives/write/formats.ts'
import { AppError } from '../errors.ts'
import type { Files } from '../files/files.ts'
import type { ByteRange, Entry } from '../files/types.ts'
import { clientGone, queryOf } from '../routing/route.ts'
import { etagOf } from './conditions.ts'
import { storedHeaders } from './content-headers.ts'
import { ReadBody } from './read-body.ts'
import { sendContent } from './send.ts'

/** `Retry-After`, in seconds, when every slot for slow formats is taken. */
const RETRY_AFTER = 30

/**
 * Sends a folder, or some items in it, as an archive streamed while it is made (http-api 5); also in ranges, if its
 * length is known beforehand.
 * @throws AppError `bad_request` for an unknown `algo`, precondition_failed, range_not_satisfiable, `unavailable` when
 *   too many slow archives are being made
 */
export async function sendArchive(
  request: FastifyRequest,
  reply: FastifyReply,
  files: Files,
  folder: Entry,
): Promise<FastifyReply> {
  const algo = queryOf(request, 'algo') ?? ''
  const format = formatOf(algo)
  if (!format) throw new AppError('bad_request', `algo: unknown archive format '${algo.slice(0, 40)}'`)
  const archive = await makeArchive(files, folder, selectedNames(request), format, {
    signal: clientGone(request, reply),
  })
  const { known } = archive
  const headers = { ...storedHeaders(archive.name, false), 'Content-Type': archive.type }
  if (!known) {
    const body = request.method === 'HEAD' ? '' : openStream(reply, archive)
    return reply.headers(headers).send(body)
  }
  const etag = etagOf(known.version)
  reply.headers({ ...headers, 'Accept-Ranges': 'bytes', ETag: etag })
  // A range requires producing everything before it.
  const stream = (range?: ByteRange) => bodyOf(archive, range)
  const content = { stream, size: known.length, inParts: false, close: () => archive.close() }
  try {
    return await sendContent(request, reply, content, { etag, modified: Number.NaN })
  } catch (thrown) {
    await archive.close()
    throw thrown
  }
}

/** Sends an archive of unknown length. @throws AppError `unavailable` */
export function sendMade(reply: FastifyReply, archive: Archive): FastifyReply {
  reply.headers({ ...storedHeaders(archive.name, false), 'Content-Type': archive.type })
  return reply.send(openStream(reply, archive))
}

function openStream(reply: FastifyReply, archive: Archive): ReadBody {
  try {
    return bodyOf(archive)
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unavailable') reply.header('Retry-After', RETRY_AFTER)
    throw thrown
  }
}

function bodyOf(archive: Archive, range?: ByteRange): ReadBody {
  const { fill, end } = fillerOf(archive.chunks(range))
  const body = new ReadBody(fill, { start: 0, end: Number.POSITIVE_INFINITY })
  return body.once('close', () => void end())
}

/**
 * Paths relative to the folder: `files` is a comma-separated list whose names are decoded once more after the query,
 * with a `+` kept; each `file` is one literal name. Empty names are skipped.
 * @throws PathError
 */
function selectedNames(request: FastifyRequest): FilePath[] {
  const listed = valuesOf(request, 'files').flatMap(list => list.split(','))
  return [
    ...listed.filter(name => name !== '').map(parseEncodedPath),
    ...valuesOf(request, 'file')
      .filter(name => name !== '')
      .map(parsePath),
  ]
}

function valuesOf(request: FastifyRequest, name: string): string[] {
  const value = (request.query as Record<string, string | string[] | undefined>)[name]
  return value === undefined ? [] : [value].flat()
}
