import { api } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'
import { rawPath } from '../../../lib/resource.ts'
import { codecsIn, unplayable } from '../codecs.ts'

/** Bytes at the start and at the end of a file that are looked at; one of the two says what is in it. */
const HEAD = 256 * 1024
const TAIL = 1024 * 1024

/** The codecs of a film or a sound that this browser does not play, by name, as a query. */
export function unplayableQuery({ path, size }: { path: string; size: number }) {
  return queryOptions({
    queryKey: ['codecs', path, size],
    queryFn: async ({ signal }) => {
      const parts = [await fetchRange(path, 0, Math.min(HEAD, size), signal)]
      if (size > HEAD) parts.push(await fetchRange(path, Math.max(HEAD, size - TAIL), size, signal))
      const player = document.createElement('video')
      return unplayable(codecsIn(parts.join('')), type => player.canPlayType(type) !== '')
    },
  })
}

/** Bytes as characters. @param end behind the last one */
async function fetchRange(path: string, start: number, end: number, signal: AbortSignal): Promise<string> {
  const answer = await api(rawPath(path), { headers: { Range: `bytes=${start}-${end - 1}` }, signal })
  return new TextDecoder('latin1').decode(await answer.arrayBuffer())
}
