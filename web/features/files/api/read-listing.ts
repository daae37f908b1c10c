import type {
  FolderResource,
  ListedRows,
  ListingEnd,
  ListingStart,
  Resource,
} from '../../../../shared/api/resources.ts'
import { itemsOf } from '../../../../shared/decode-listing.ts'
import { LISTING_IN_ROWS } from '../../../../shared/listing-format.ts'

/** The result of a call for a folder. */
export interface Read {
  resource: Resource
  /** The folder's version, for `If-None-Match`. */
  etag?: string
}

/**
 * Reads the response to a call for a folder. A listing is NDJSON: the first line describes the folder, each further
 * line adds entries, and the last one holds the version. A file is plain JSON.
 * @param onBegin receives the first rows when more are to come
 * @throws TypeError when the last line is missing
 */
export async function readListing(
  answer: Pick<Response, 'headers' | 'body' | 'json'>,
  onBegin: (begun: FolderResource) => void,
): Promise<Read> {
  if (answer.headers.get('Content-Type') !== LISTING_IN_ROWS) return { resource: await answer.json() }
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let resource: FolderResource | undefined
  let rest = ''
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const lines = (rest + piece.value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const parsed: ListingStart | ListedRows | ListingEnd = JSON.parse(line)
      if ('rows' in parsed) {
        const { rows, ...head } = parsed
        resource = { ...head, items: itemsOf(rows, head.path) }
        if (resource.items.length < head.numDirs + head.numFiles) onBegin({ ...resource, items: [...resource.items] })
      } else if (resource && 'etag' in parsed) return { resource, etag: parsed.etag }
      else if (resource && 'names' in parsed) resource.items.push(...itemsOf(parsed, resource.path))
    }
  }
  throw new TypeError('the listing was cut short')
}
