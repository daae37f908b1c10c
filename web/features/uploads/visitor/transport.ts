import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { ApiError, type ApiInit, api, apiJson } from '../../../lib/api.ts'
import { pageConfig } from '../../../lib/config.ts'
import { senderHeaders } from '../../../lib/sender.ts'
import { isReachable } from '../transport.ts'
import type { Transport } from '../transport-types.ts'
import { type ChunkPlace, sendInChunks } from '../tus.ts'

/** A visitor of a link, as the next call presents them. */
export interface LinkVisitor {
  hash: string
  /** Of a link with a password. */
  ticket: string | undefined
  /** Whether the link asks for the name of the visitor. */
  isNamed?: boolean
}

/** URL of a call for visitors, below the base URL. @param rest below the link, encoded */
export const visitorUrl = (call: 'tus' | 'resources' | 'share', { hash }: LinkVisitor, rest: string): string =>
  `/api/public/${call}/${encodeURIComponent(hash)}/${rest}`

/** The headers of such a call. */
export const visitorHeaders = ({ ticket, isNamed }: LinkVisitor): Record<string, string> => ({
  ...(ticket !== undefined && { 'X-Share-Ticket': ticket }),
  ...(isNamed && senderHeaders()),
})

/** What uploads of visitors have in common: the server gives each an id. @param begin the URL that begins an upload */
export function visitorPlaces(visitor: () => LinkVisitor) {
  const ids = new WeakMap<File, string>()
  const current = (file: File) => {
    const id = ids.get(file)
    return id === undefined ? undefined : visitorUrl('tus', visitor(), `-/${id}`)
  }
  return {
    placeOf: (file: File, begin: () => string): Omit<ChunkPlace, 'hasArrived'> => ({
      auth: false,
      begin,
      headers: () => visitorHeaders(visitor()),
      current: () => current(file),
      begun({ headers }) {
        const id = /\/-\/([\w-]+)$/.exec(headers.get('Location') ?? '')?.[1]
        if (id !== undefined) ids.set(file, id)
      },
    }),
    /** Removes a partial upload. */
    async discard(file: File | undefined): Promise<void> {
      const url = file && current(file)
      if (url !== undefined) await api(url, { method: 'DELETE', headers: visitorHeaders(visitor()), auth: false })
    },
  }
}

const below = (path: FilePath) => encodePath(path).replace(/^\//, '')

/** Sends files into the folder of a link to edit (http-api 10.4), always in chunks. */
export function editTransport(visitor: () => LinkVisitor): Transport {
  const { placeOf, discard } = visitorPlaces(visitor)
  /** What is at a path; none where nothing is. */
  const find = (path: FilePath, signal: AbortSignal) =>
    apiJson<ResourceItem>(visitorUrl('share', visitor(), below(path)), {
      ...{ signal, headers: visitorHeaders(visitor()), auth: false },
    }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return undefined
      throw error
    })
  const isThere = async (path: FilePath, file: File, signal: AbortSignal) => {
    const found = await find(path, signal)
    return found?.size === file.size && seconds(Date.parse(found.modified)) === seconds(file.lastModified)
  }
  const place = (path: FilePath, file: File, override: boolean): ChunkPlace => ({
    ...placeOf(file, () => `${visitorUrl('tus', visitor(), below(path))}?override=${override}`),
    // The response to the last piece may be lost.
    hasArrived: signal => isThere(path, file, signal),
  })
  return {
    isVisitor: true,
    sendFile: (path, file, options) =>
      sendInChunks(place(path, file, options.override), file, options, pageConfig.TusSettings.chunkSize),
    discard: (_path, file) => discard(file),
    async makeFolder(path, signal) {
      const init: ApiInit = { method: 'POST', headers: visitorHeaders(visitor()), signal, auth: false }
      await api(`${visitorUrl('resources', visitor(), below(path))}/`, init)
    },
    isSame: isThere,
    isReachable,
  }
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)
