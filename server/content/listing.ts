import { Readable } from 'node:stream'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FolderResource, ResourceItem } from '../../shared/api/resources.ts'
import type { Sorting } from '../../shared/sorting.ts'
import type { Listing } from '../files/listing.ts'
import type { Entry } from '../files/types.ts'
import { clientGone } from '../route.ts'
import { presentItem } from './present.ts'
import type { TypesOf } from './types.ts'

/** Entries above which a listing is sent in pieces. */
const LONG = 1000
/** Entries of the first piece, at most: more than there is room for on a screen. */
const FIRST_ROWS = 200
/** Entries of each further piece, at most. */
const PIECE = 500

/** How a listing is told: its order, what to find out of its files, and what the wire calls it otherwise. */
export interface HowToTell {
  sorting: Sorting
  typesOf: TypesOf
  more?: Record<string, string> | undefined
}

/**
 * A folder with its children (contract 15.1); a long one while it is being read, so that its first rows can be shown
 * before the last ones are known. Takes the listing over.
 */
export async function sendListing(
  request: FastifyRequest,
  reply: FastifyReply,
  listing: Listing,
  { sorting, typesOf, more }: HowToTell,
): Promise<FolderResource | FastifyReply> {
  const { folder, numDirs, numFiles, entries } = listing
  const head = { numDirs, numFiles, sorting, ...presentItem(folder), ...more }
  const items = presented(entries, typesOf)
  if (numDirs + numFiles > LONG) {
    const gone = clientGone(request, reply)
    const close = () => void listing.close()
    gone.addEventListener('abort', close, { once: true })
    if (gone.aborted) close()
    return sendLines(request, reply, linesOf(head, items))
  }
  try {
    return { items: (await Array.fromAsync(items)).flat(), ...head }
  } finally {
    await listing.close()
  }
}

async function* presented(batches: AsyncIterable<Entry[]>, typesOf: TypesOf): AsyncGenerator<ResourceItem[]> {
  for await (const entries of batches) {
    const types = await typesOf(entries)
    yield entries.map(entry => presentItem(entry, types.get(entry.path)))
  }
}

function sendLines(request: FastifyRequest, reply: FastifyReply, lines: AsyncIterable<string>): FastifyReply {
  const text = Readable.from(lines, { objectMode: false })
  reply.type('application/json; charset=utf-8').header('Vary', 'Accept-Encoding')
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(text)
  const zipped = createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
  return reply.header('Content-Encoding', 'gzip').send(text.once('error', cause => zipped.destroy(cause)).pipe(zipped))
}

/**
 * A listing as JSON in lines, so that a reader need not wait for its end: the first with `]}` added is a listing
 * itself, of which the counts tell how many entries are missing; each further one begins with a comma and brings entries;
 * the last is `]}`. Line breaks in names are escaped, so that all others stand between entries.
 */
export async function* linesOf(
  head: Omit<FolderResource, 'items'>,
  batches: AsyncIterable<ResourceItem[]>,
): AsyncGenerator<string> {
  const opening = `${JSON.stringify(head).slice(0, -1)},"items":[`
  let opened = false
  for await (const items of batches) {
    for (let from = 0; from < items.length; ) {
      // What a thread has read and a socket takes at once would keep everybody else waiting until the end.
      if (opened) await othersFirst()
      const piece = items.slice(from, from + (opened ? PIECE : FIRST_ROWS))
      const text = JSON.stringify(piece).slice(1, -1)
      // A line is told with its end, so that readers need not wait for the next one.
      yield opened ? `,${text}\n` : `${opening}${text}\n`
      opened = true
      from += piece.length
    }
  }
  yield opened ? ']}' : `${opening}\n]}`
}

/** Whether whoever asks can read gzip (RFC 9110, section 12.5.3). */
export function takesGzip(accepted: string | undefined): boolean {
  const weights = (accepted ?? '').split(',').map(part => part.trim().split(/\s*;\s*q=/i))
  const [, weight = '1'] = weights.find(([coding]) => coding?.toLowerCase() === 'gzip') ?? ['', '0']
  return Number(weight) > 0
}
