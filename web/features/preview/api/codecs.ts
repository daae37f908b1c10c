import { api } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'
import { codecsIn, containerOf, unplayable } from '../codecs.ts'
import { type DocumentProps, sourceOf } from '../document/bytes.ts'

/** Bytes read at the start and at the end of a file; one of the two holds the codecs. */
const HEAD = 256 * 1024
const TAIL = 1024 * 1024

/** What a video or audio file consists of, by name. */
export interface MediaFormat {
  /** Unless it is none of the common ones. */
  container: string | undefined
  codecs: string[]
  /** Those that this browser does not play. */
  unplayable: string[]
}

/** The format of a video or audio file, as a query. */
export function formatQuery(file: DocumentProps) {
  const { path, size } = file.resource
  return queryOptions({
    queryKey: ['codecs', file.source ?? path, size],
    queryFn: async ({ signal }): Promise<MediaFormat> => {
      const parts = [await fetchRange(file, 0, Math.min(HEAD, size), signal)]
      if (size > HEAD) parts.push(await fetchRange(file, Math.max(HEAD, size - TAIL), size, signal))
      const player = document.createElement('video')
      const codecs = codecsIn(parts.join(''))
      return {
        container: containerOf(parts[0] ?? ''),
        codecs: codecs.map(({ name }) => name),
        unplayable: unplayable(codecs, type => player.canPlayType(type) !== ''),
      }
    },
  })
}

/** Bytes as characters. @param end exclusive */
async function fetchRange(file: DocumentProps, start: number, end: number, signal: AbortSignal): Promise<string> {
  const headers = { Range: `bytes=${start}-${end - 1}` }
  const answer = await api(sourceOf(file), { headers, signal, auth: file.source === undefined })
  return new TextDecoder('latin1').decode(await answer.arrayBuffer())
}
