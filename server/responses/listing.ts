import { createHash, type Hash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Sorting } from '../../shared/sorting.ts'
import type { Listing } from '../files/listing.ts'
import { LIMITS } from '../limits.ts'
import { clientGone } from '../routing/route.ts'
import { namesVersion } from './conditions.ts'
import type { TypesOf } from './entry-types.ts'
import { type Children, formFor, type ListingForm, type ListingHead, linesOf, tagIn } from './listing-encoders.ts'
import { presentItem } from './serializers.ts'

/** Number of entries above which a listing is streamed in chunks. */
const LONG = 1000

/** Options of a listing: its order, which types to detect, and overrides of wire fields. */
export interface ListingOptions {
  sorting: Sorting
  typesOf: TypesOf
  more?: Record<string, string | number | boolean | readonly string[]> | undefined
}

/**
 * Sends a folder with its children (http-api 15.1), in the encoding that the client accepts, or 304 (RFC 9110, 13.1.2).
 * A long one is streamed while it is read, so that its first rows can be shown before the last ones are known. Takes
 * ownership of the listing.
 */
export async function sendListing(
  request: FastifyRequest,
  reply: FastifyReply,
  listing: Listing,
  { sorting, typesOf, more }: ListingOptions,
): Promise<FastifyReply> {
  const { folder, numDirs, numFiles } = listing
  const head = { numDirs, numFiles, sorting, ...presentItem(folder), isDir: true as const, ...more }
  const form = formFor(request)
  reply.type(form.type).header('Vary', 'Accept, Accept-Encoding')
  const answer: Answer = { request, reply, form, head }
  const children = childrenOf(listing, typesOf)
  if (numDirs + numFiles > LONG) {
    const gone = clientGone(request, reply)
    const close = () => void listing.close()
    gone.addEventListener('abort', close, { once: true })
    if (gone.aborted) close()
    return sendLong(answer, children, gone)
  }
  try {
    return sendShort(answer, await Array.fromAsync(children))
  } finally {
    await listing.close()
  }
}

interface Answer {
  request: FastifyRequest
  reply: FastifyReply
  form: ListingForm
  head: ListingHead
}

async function* childrenOf({ entries: batches }: Listing, typesOf: TypesOf): AsyncGenerator<Children> {
  for await (const entries of batches) yield { entries, types: await typesOf(entries) }
}

function sendShort({ request, reply, form, head }: Answer, batches: readonly Children[]): FastifyReply {
  const entries = batches.flatMap(batch => batch.entries)
  const types = batches.flatMap(batch => batch.types)
  const text = Buffer.from(form.whole(head, { entries, types }))
  const tag = tagIn(newHash().update(text))
  if (isKnown(request, reply, tag)) return reply.code(304).send()
  const version = form.version(tag)
  return reply.send(version === '' ? text : Buffer.concat([text, Buffer.from(version)]))
}

const newHash = () => createHash('sha256')

/** Sets the ETag. @returns whether the client has this version */
function isKnown({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('ETag', tag)
  const known = headers['if-none-match']
  return known !== undefined && namesVersion(known, tag.slice('W/'.length), { weakly: true })
}

/** Number of long listings that are buffered now, to compare them with the client's version. */
let compared = 0

async function sendLong({ request, reply, form, head }: Answer, children: AsyncIterable<Children>, gone: AbortSignal) {
  const hash = newHash()
  const lines = linesOf(form, head, children, hash)
  const isCompared = request.headers['if-none-match'] !== undefined && compared < LIMITS.comparedListings
  if (!isCompared || gone.aborted) {
    return sendLines(request, addTrailer(request, reply, hash), lines)
  }
  compared += 1
  reply.raw.once('close', () => {
    compared -= 1
  })
  const { held, isWhole } = await hold(lines, gone)
  if (isWhole && isKnown(request, reply, tagIn(hash))) return reply.code(304).send()
  if (!isWhole) addTrailer(request, reply, hash)
  return sendLines(request, reply, allOf(held, lines))
}

/** Sends the ETag as a trailer, where HTTP has trailers. */
function addTrailer({ raw }: FastifyRequest, reply: FastifyReply, hash: Hash): FastifyReply {
  return raw.httpVersion === '1.1' ? reply.trailer('etag', async () => tagIn(hash)) : reply
}

/** How much of a listing may be buffered, in bytes, and for how long, in milliseconds. */
const HELD = { text: LIMITS.comparedListing, time: LIMITS.comparedListingTime }

/** Buffers text within the limits. @throws the reason of `gone` */
export async function hold(
  lines: AsyncIterator<Buffer>,
  gone: AbortSignal,
  most = HELD,
): Promise<{ held: Buffer[]; isWhole: boolean }> {
  const held: Buffer[] = []
  const until = Date.now() + most.time
  let room = most.text
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    gone.throwIfAborted()
    held.push(next.value)
    room -= next.value.length
    if (room < 0 || Date.now() > until) return { held, isWhole: false }
  }
  return { held, isWhole: true }
}

async function* allOf(held: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* held
  yield* rest
}

function sendLines(request: FastifyRequest, reply: FastifyReply, lines: AsyncIterable<Buffer>): FastifyReply {
  return reply.send(compressed(request, reply, Readable.from(lines, { objectMode: false })))
}

/** A long text for the client, compressed if it takes that. */
export function compressed(request: FastifyRequest, reply: FastifyReply, text: Readable): Readable {
  if (!takesGzip(request.headers['accept-encoding'])) return text
  reply.header('Content-Encoding', 'gzip')
  const zipped = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
  // The sender gets the error from the stream itself.
  pipeline(text, zipped, () => undefined)
  return zipped
}

/** Whether the client accepts gzip (RFC 9110, section 12.5.3). */
export function takesGzip(accepted: string | undefined): boolean {
  const weights = (accepted ?? '').split(',').map(part => part.trim().split(/\s*;\s*q=/i))
  const [, weight = '1'] = weights.find(([coding]) => coding?.toLowerCase() === 'gzip') ?? ['', '0']
  return Number(weight) > 0
}
