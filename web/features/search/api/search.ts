import {
  CONTENT_STATE_HEADER,
  CONTENT_STATES,
  type ContentState,
  type SearchHit,
  type UnreadFolders,
} from '../../../../shared/api/search.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'
import { jsonLines } from '../../../lib/json-lines.ts'
import { inLocalTime } from '../facets.ts'

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

/**
 * `GET /api/search/{folder}?query=…` (http-api 9).
 * @param query its dates are days on the user's clock
 * @param details whether hits have size and time
 * @throws ApiError
 */
export async function searchBelow(
  folder: FilePath,
  query: string,
  signal: AbortSignal,
  details = false,
): Promise<Answer> {
  const wanted = new URLSearchParams({ query: inLocalTime(query), ...(details && { details: 'true' }) })
  const address = `/api/search${encodePath(folder)}?${wanted}`
  const answer = await api(address, { headers: { Accept: 'application/x-ndjson' }, signal })
  const told = answer.headers.get(CONTENT_STATE_HEADER)
  return { found: hitsIn(answer, signal), contents: CONTENT_STATES.find(state => state === told) }
}

async function* hitsIn(answer: Response, signal: AbortSignal): AsyncGenerator<FoundPart> {
  for await (const read of jsonLines<SearchHit | UnreadFolders>(answer, signal)) yield partOf(read)
}

function partOf(lines: readonly (SearchHit | UnreadFolders)[]): FoundPart {
  const hits = lines.filter(line => 'path' in line)
  const told = lines.find(line => 'unread' in line)
  return { hits, unread: told?.unread ?? 0 }
}
