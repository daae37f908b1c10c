import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { encodePath, type FilePath, parentOf } from '../../../shared/path.ts'
import type { Sorting } from '../../../shared/sorting.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Property } from '../../files/property-records.ts'
import type { Entry } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { compressed, takesGzip } from '../../responses/listing.ts'
import { callerOf, clientGone, type Route, target } from '../../routing/route.ts'
import type { DavDeps } from './content.ts'
import { DeepListingLimit } from './deep-listing-limit.ts'
import { filesOf } from './files-of.ts'
import { FiniteDepthError } from './finite-depth.ts'
import { type Depth, depthOf } from './headers.ts'
import { sourceOf } from './live-properties.ts'
import { hrefsBelow, isWhole, multistatus, PIECE, response, statusElement } from './multistatus.ts'
import { readXml } from './read-xml.ts'
import { type Brevity, renderer, requestedOf, requestsSet } from './requested-properties.ts'

const BY_NAME: Sorting = { by: 'name', asc: true }

/** What programs have set on an entry. */
type SetOn = (entry: Entry) => readonly Property[]
const NOTHING_SET: SetOn = () => []

/** PROPFIND: properties of an item, of a folder and its children, or of all below it, streamed (RFC 4918, 9.1). */
export function propfind({ files, config }: DavDeps): Route['handler'] {
  const hrefOf = hrefsBelow(config.baseURL)
  const listings = new DeepListingLimit()
  return async (request, reply) => {
    // Without the header it means everything (RFC 4918, 9.1).
    const depth = depthOf(request) ?? 'infinity'
    const requested = requestedOf(await readXml(request))
    const own = await filesOf(files, request)
    const top = await own.info(target(request).path)
    if (top.kind === 'special') throw new AppError('special_file')
    if (depth === 'infinity' && top.kind === 'folder' && !config.davInfinity) throw new FiniteDepthError()
    const requestsUsage = requested.names.some(({ local }) => local.startsWith('quota-'))
    const source = await sourceOf(own, top, {
      requestsUsage,
      rootOf: path => `${config.baseURL}/dav${encodePath(path)}`,
    })
    const render = renderer(requested, source, brevityOf(request))
    const release =
      depth === 'infinity' && top.kind === 'folder' ? listings.enter(callerOf(request).user.id) : undefined
    const signal = clientGone(request, reply)
    const setOn = setOnItems(own, requestsSet(requested) ? depth : 'none')
    const responses = async function* (): AsyncGenerator<string> {
      let left = LIMITS.davEntries
      for await (const [entries, set] of entriesOf(own, top, { depth, signal, setOn })) {
        let texts = ''
        for (const entry of entries) {
          const isFolder = entry.kind === 'folder'
          if (left-- > 0) texts += response(hrefOf(entry.path, isFolder), render(entry, set(entry)))
          if (texts.length < PIECE) continue
          yield texts
          texts = ''
        }
        yield texts
        if (left >= 0) continue
        const limit = '<D:error><D:number-of-matches-within-limits/></D:error>'
        yield response(hrefOf(top.path, true), statusElement(507) + limit)
        return
      }
    }
    const pieces = multistatus(responses())
    const first = await pieces.next().catch((thrown: unknown) => {
      release?.()
      throw thrown
    })
    const start: string = first.value ?? ''
    reply.code(207).type('application/xml; charset=utf-8')
    // One item is hardly shorter when it is compressed.
    if (isWhole(start) && (depth === 0 || !takesGzip(request.headers['accept-encoding']))) {
      release?.()
      return reply.send(start)
    }
    const body = Readable.from(beginning(start, pieces), { objectMode: false })
    body.once('close', () => {
      release?.()
      // A body that is closed before it is read leaves the listing open.
      void pieces.return(undefined).catch(() => undefined)
    })
    return reply.send(compressed(request, reply, body))
  }
}

async function* beginning(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* rest
}

/** Whether a request is of Windows Explorer. */
export const isOfWindows = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  /^Microsoft-WebDAV-MiniRedir/i.test(headers['user-agent'] ?? '')

/**
 * `Brief` of Microsoft, and RFC 8144. Windows Explorer shows a folder as empty whose listing is longer than a million
 * bytes, of which those about locks would be a third.
 */
export const brevityOf = ({ headers }: FastifyRequest): Brevity => ({
  missing: headers.brief === 't' || /\breturn=minimal\b/.test(String(headers.prefer ?? '')),
  locks: isOfWindows({ headers }),
})

interface Reach {
  depth: Depth
  signal: AbortSignal
  setOn(folder: Entry | FilePath): Promise<SetOn>
}

/** The entries of an answer in groups, with what programs have set on them. */
async function* entriesOf(own: Files, top: Entry, { depth, signal, setOn }: Reach): AsyncGenerator<[Entry[], SetOn]> {
  const inside = await setOn(top)
  yield [[top], inside]
  if (depth === 0 || top.kind !== 'folder') return
  if (depth === 1) {
    const listing = await own.listing(top.path, BY_NAME)
    try {
      for await (const batch of listing.entries) {
        signal.throwIfAborted()
        yield [batch.filter(isShown), inside]
      }
    } finally {
      await listing.close()
    }
    return
  }
  for await (const items of await own.walk(top.path, { signal })) {
    const entries = items.flatMap(({ entry }) => entry ?? []).filter(isShown)
    const [first] = entries
    if (first) yield [entries, await setOn(parentOf(first.path))]
  }
}

const isShown = ({ kind }: Entry) => kind === 'file' || kind === 'folder'

/** Asks once for each folder; a walk comes back to those on its way. @param depth or that nothing is asked for */
function setOnItems(own: Files, depth: Depth | 'none'): Reach['setOn'] {
  if (depth === 'none') return async () => NOTHING_SET
  const known = new Map<FilePath, SetOn>()
  return async folder => {
    const path = typeof folder === 'string' ? folder : folder.path
    const before = known.get(path)
    if (before) return before
    const found = await setIn(own, typeof folder === 'string' ? await own.info(folder) : folder, depth)
    if (known.size >= KNOWN_FOLDERS) known.clear()
    known.set(path, found)
    return found
  }
}

async function setIn(own: Files, top: Entry, depth: Depth): Promise<SetOn> {
  if (depth !== 0 && top.kind === 'folder') return own.properties.inFolder(top)
  const set = await own.properties.of(top)
  return () => set
}

const KNOWN_FOLDERS = 64
