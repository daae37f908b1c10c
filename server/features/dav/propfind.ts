import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { encodePath, type FilePath, parentOf } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Property } from '../../files/property-records.ts'
import type { Entry } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { compressed } from '../../responses/listing.ts'
import { callerOf, clientGone, type Route, target } from '../../routing/route.ts'
import type { DavDeps } from './content.ts'
import { DeepListingLimit } from './deep-listing-limit.ts'
import { filesOf } from './files-of.ts'
import { FiniteDepthError } from './finite-depth.ts'
import { type Depth, depthOf } from './headers.ts'
import { sourceOf } from './live-properties.ts'
import { hrefsBelow, multistatus, PIECE, response, statusElement } from './multistatus.ts'
import { readXml } from './read-xml.ts'
import { type Brevity, renderer, requestedOf, requestsSet } from './requested-properties.ts'

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
    const setOn = requestsSet(requested) ? setIn(own) : async () => NOTHING_SET
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
    const body = Readable.from(multistatus(responses()), { objectMode: false })
    body.once('close', () => release?.())
    // One item is hardly shorter when it is compressed.
    const sent = depth === 0 ? body : compressed(request, reply, body)
    return reply.code(207).type('application/xml; charset=utf-8').send(sent)
  }
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
  setOn(folder: FilePath): Promise<SetOn>
}

/** The entries of an answer in groups, with what programs have set on them. */
async function* entriesOf(own: Files, top: Entry, { depth, signal, setOn }: Reach): AsyncGenerator<[Entry[], SetOn]> {
  const set = await own.properties.of(top)
  yield [[top], () => set]
  if (depth === 0 || top.kind !== 'folder') return
  if (depth === 1) {
    const inside = await setOn(top.path)
    for await (const batch of own.each(top.path)) {
      signal.throwIfAborted()
      yield [batch.filter(isShown), inside]
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

/** Asks once for each folder; a walk comes back to those on its way. */
function setIn(own: Files): (folder: FilePath) => Promise<SetOn> {
  const known = new Map<FilePath, SetOn>()
  return async folder => {
    const before = known.get(folder)
    if (before) return before
    const found = await own.properties.inFolder(await own.info(folder))
    if (known.size >= KNOWN_FOLDERS) known.clear()
    known.set(folder, found)
    return found
  }
}

const KNOWN_FOLDERS = 64
