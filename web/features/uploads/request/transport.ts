import { type FilePath, nameOf } from '../../../../shared/path.ts'
import { pageConfig } from '../../../lib/config.ts'
import { isReachable } from '../transport.ts'
import type { Transport } from '../transport-types.ts'
import { type ChunkPlace, sendInChunks } from '../tus.ts'
import { type LinkVisitor, visitorPlaces, visitorUrl } from '../visitor/transport.ts'

/** A visitor of a file request, as the next call presents them. */
export interface Visitor extends LinkVisitor {
  /** Their name and message; `''` for none. */
  sender: string
  note: string
}

/** Sends files through a file request (http-api 10.3), always in chunks: a lost connection then sends none twice. */
export function requestTransport(visitor: () => Visitor): Transport {
  const { placeOf, discard } = visitorPlaces(visitor)
  const place = (path: FilePath, file: File): ChunkPlace => ({
    ...placeOf(file, () => visitorUrl('tus', visitor(), encodeURIComponent(nameOf(path)))),
    hasArrived: async () => false,
  })
  return {
    isVisitor: true,
    sendFile: (path, file, options) =>
      sendInChunks(
        place(path, file),
        file,
        { ...options, headers: about(visitor()) },
        pageConfig.TusSettings.chunkSize,
      ),
    discard: (_path, file) => discard(file),
    makeFolder: async () => {},
    isSame: async () => false,
    isReachable,
  }
}

function about({ sender, note }: Visitor): Record<string, string> {
  const pairs = Object.entries({ sender, note }).filter(([, value]) => value !== '')
  return pairs.length === 0
    ? {}
    : { 'Upload-Metadata': pairs.map(([key, value]) => `${key} ${base64(value)}`).join(',') }
}

const base64 = (text: string) => btoa(String.fromCodePoint(...new TextEncoder().encode(text.toWellFormed())))
