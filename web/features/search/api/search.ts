import {
  CONTENT_STATE_HEADER,
  CONTENT_STATES,
  type ContentState,
  type SearchHit,
  type UnreadFolders,
} from '../../../../shared/api/search.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { ApiError, api } from '../../../lib/api.ts'

/** Some of the results, or at the end the number of unreadable folders. */
interface FoundPart {
  hits: readonly SearchHit[]
  unread: number
}

/** The response of a search. */
interface Answer {
  /** The results in batches, as they are found. @throws ApiError status 0 when the connection breaks off */
  found: AsyncIterable<FoundPart>
  /** Progress of the content index, for a search in contents. */
  contents: ContentState | undefined
}

/** `GET /api/search/{folder}?query=…` (http-api 9). @throws ApiError */
export async function searchBelow(folder: FilePath, query: string, signal: AbortSignal): Promise<Answer> {
  const address = `/api/search${encodePath(folder)}?query=${encodeURIComponent(query)}`
  const { body, headers } = await api(address, { headers: { Accept: 'application/x-ndjson' }, signal })
  const told = headers.get(CONTENT_STATE_HEADER)
  return { found: hitsIn(body, signal), contents: CONTENT_STATES.find(state => state === told) }
}

async function* hitsIn(body: Response['body'], signal: AbortSignal): AsyncGenerator<FoundPart> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw new ApiError(0, signal.aborted ? '001 Connection aborted' : '000 No connection')
    })
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    // Blank lines keep the connection alive.
    const read = lines.filter(line => line !== '').map(line => JSON.parse(line) as SearchHit | UnreadFolders)
    if (read.length > 0) yield partOf(read)
  }
}

function partOf(lines: readonly (SearchHit | UnreadFolders)[]): FoundPart {
  const hits = lines.filter(line => 'path' in line)
  const told = lines.find(line => 'unread' in line)
  return { hits, unread: told?.unread ?? 0 }
}
