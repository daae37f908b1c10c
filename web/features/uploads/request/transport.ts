import { type FilePath, nameOf } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'
import { pageConfig } from '../../../lib/config.ts'
import { isReachable } from '../transport.ts'
import type { Transport } from '../transport-types.ts'
import { type ChunkPlace, sendInChunks } from '../tus.ts'

/** A visitor of a file request, as the next call presents them. */
export interface Visitor {
  hash: string
  /** Of a request with a password. */
  ticket: string | undefined
  /** Their name and message; `''` for none. */
  sender: string
  note: string
}

/** Sends files through a file request (http-api 10.3), always in chunks: a lost connection then sends none twice. */
export function requestTransport(visitor: () => Visitor): Transport {
  /** Ids of the uploads, which the server gave out. */
  const ids = new WeakMap<File, string>()
  const place = (path: FilePath, file: File): ChunkPlace => ({
    auth: false,
    begin: () => urlOf(visitor(), encodeURIComponent(nameOf(path))),
    current() {
      const id = ids.get(file)
      return id === undefined ? undefined : urlOf(visitor(), `-/${id}`)
    },
    begun({ headers }) {
      const id = /\/-\/([\w-]+)$/.exec(headers.get('Location') ?? '')?.[1]
      if (id !== undefined) ids.set(file, id)
    },
    hasArrived: async () => false,
  })
  return {
    sendFile: (path, file, options) =>
      sendInChunks(
        place(path, file),
        file,
        { ...options, headers: about(visitor()) },
        pageConfig.TusSettings.chunkSize,
      ),
    async discard(path, file) {
      const url = file && place(path, file).current()
      if (url !== undefined) await api(url, { method: 'DELETE', auth: false })
    },
    makeFolder: async () => {},
    isSame: async () => false,
    isReachable,
  }
}

function urlOf({ hash, ticket }: Visitor, rest: string): string {
  const query = ticket === undefined ? '' : `?token=${encodeURIComponent(ticket)}`
  return `/api/public/tus/${encodeURIComponent(hash)}/${rest}${query}`
}

function about({ sender, note }: Visitor): Record<string, string> {
  const pairs = Object.entries({ sender, note }).filter(([, value]) => value !== '')
  return pairs.length === 0
    ? {}
    : { 'Upload-Metadata': pairs.map(([key, value]) => `${key} ${base64(value)}`).join(',') }
}

const base64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text.toWellFormed())))
