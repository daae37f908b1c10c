import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isNamed, mimeByContent } from '../file-types/file-type.ts'
import type { ByteRange, OpenFile } from '../files/types.ts'
import { handOver, isHandedOver } from './accel-redirect.ts'
import { etagOf, evaluateConditions, rangeApplies, type Validators } from './conditions.ts'
import { storedHeaders } from './content-headers.ts'
import { headOf } from './entry-types.ts'
import { parseRanges } from './ranges.ts'
import { ReadBody } from './read-body.ts'
import { httpDate } from './serializers.ts'

/** Content of a known length. */
export interface Content {
  size: number
  /** Whether several ranges can be read concurrently. */
  inParts: boolean
  /** See `OpenFile.place`. */
  place?: string
  stream(range?: ByteRange): Readable
  /** Idempotent. */
  close(): Promise<void>
}

export interface SendOptions {
  /** See `storedHeaders`. */
  inline: boolean
  /** See `storedHeaders`. */
  shownAs?: string
  /** Whether a client may be sent to an address of the store, which it can call again. Default: yes. */
  direct?: boolean
  /** `Cache-Control`. Default: the client may cache it, but revalidates every time. */
  cacheControl?: string
}

/**
 * Sends a file's bytes, whole or in ranges, honouring conditions (http-api 5). Takes ownership of the file, which is
 * always closed.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  options: SendOptions,
): Promise<FastifyReply> {
  try {
    if (!options.inline && options.direct !== false && isPlain(request) && file.address) {
      const address = file.address(storedHeaders(file.entry.name, false))
      await file.close()
      return reply.header('Cache-Control', 'no-store').redirect(address)
    }
    const now = announce(reply, file, { ...options, ...(await shownAs(file, options)) })
    return await sendContent(request, reply, contentOf(file), now)
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Whether the response is the whole content, regardless of conditions. */
const isPlain = ({ method, headers }: FastifyRequest) =>
  method === 'GET' && headers.range === undefined && !Object.keys(headers).some(name => name.startsWith('if-'))

const contentOf = (file: OpenFile): Content => ({
  size: file.entry.size,
  inParts: true,
  ...(file.place !== undefined && { place: file.place }),
  stream: (range = { start: 0, end: file.entry.size - 1 }) => bodyOf(file, range),
  close: () => file.close(),
})

const bodyOf = (file: OpenFile, range: ByteRange) =>
  file.read ? new ReadBody(file.read, range, file.passTo) : file.stream(range)

/** The type of a file whose name does not determine it (http-api 5). */
async function shownAs(file: OpenFile, { inline, shownAs }: { inline: boolean; shownAs?: string }) {
  if (!inline || shownAs !== undefined || isNamed(file.entry.name)) return {}
  return { shownAs: mimeByContent(await headOf(file)) }
}

function announce(reply: FastifyReply, file: OpenFile, { inline, shownAs, cacheControl }: SendOptions): Validators {
  const { entry } = file
  const etag = etagOf(entry.version)
  reply.headers({
    ...storedHeaders(entry.name, inline, shownAs),
    ...(cacheControl !== undefined && { 'Cache-Control': cacheControl }),
    'Accept-Ranges': 'bytes',
    'Last-Modified': httpDate(entry.modified),
    ETag: etag,
  })
  return { etag, modified: entry.modified }
}

/**
 * Sends what the headers already announce, whole or in ranges, if the conditions of the request allow it.
 * @throws AppError precondition_failed, range_not_satisfiable; the content is then still open
 */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
  now: Validators,
): Promise<FastifyReply> {
  const ended = evaluateConditions(request.headers, now)
  if (ended === 412) throw new AppError('precondition_failed')
  if (ended) {
    await content.close()
    return reply.code(ended).send()
  }
  const { size } = content
  const applies = rangeApplies(request.headers['if-range'] as string | undefined, now)
  const ranges = applies ? parseRanges(request.headers.range, size) : undefined
  if (ranges === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${size}`)
    throw new AppError('range_not_satisfiable')
  }
  if (content.place !== undefined && size > 0 && isHandedOver(request, ranges)) {
    await content.close()
    return handOver(reply.code(ranges ? 206 : 200), content.place, ranges !== undefined)
  }
  if (ranges === undefined || (ranges.length > 1 && !content.inParts)) {
    return stream(request, reply.header('Content-Length', size), content, () => content.stream())
  }
  const [range] = ranges
  if (ranges.length === 1 && range) {
    reply.code(206).headers({
      'Content-Range': contentRange(range, size),
      'Content-Length': range.end - range.start + 1,
    })
    return stream(request, reply, content, () => content.stream(range))
  }
  return sendParts(request, reply.code(206), content, ranges)
}

/** Several ranges as `multipart/byteranges` (RFC 9110, 14.6). */
function sendParts(request: FastifyRequest, reply: FastifyReply, content: Content, ranges: ByteRange[]) {
  const { size } = content
  const boundary = randomBytes(12).toString('hex')
  const type = String(reply.getHeader('Content-Type'))
  const heads = ranges.map(
    range => `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange(range, size)}\r\n\r\n`,
  )
  const tail = `\r\n--${boundary}--\r\n`
  const bytes = ranges.reduce((sum, range) => sum + range.end - range.start + 1, 0)
  reply.headers({
    'Content-Type': `multipart/byteranges; boundary=${boundary}`,
    'Content-Length': bytes + Buffer.byteLength(heads.join('') + tail),
  })
  const all = () => Readable.from(parts(content, ranges, heads, tail), { objectMode: false })
  return stream(request, reply, content, all)
}

async function* parts(content: Content, ranges: ByteRange[], heads: string[], tail: string) {
  for (const [index, range] of ranges.entries()) {
    yield Buffer.from(heads[index] ?? '')
    yield* content.stream(range)
  }
  yield Buffer.from(tail)
}

async function stream(request: FastifyRequest, reply: FastifyReply, content: Content, open: () => Readable) {
  if (request.method === 'HEAD' || content.size === 0) {
    await content.close()
    return reply.send(request.method === 'HEAD' ? '' : Buffer.alloc(0))
  }
  const body = open()
  body.once('close', () => void content.close())
  return reply.send(body)
}

const contentRange = (range: ByteRange, size: number) => `bytes ${range.start}-${range.end}/${size}`
