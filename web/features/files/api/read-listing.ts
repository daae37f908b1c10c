import type {
  FolderResource,
  ListedRows,
  ListingEnd,
  ListingStart,
  Resource,
} from '../../../../shared/api/resources.ts'
import { itemsOf } from '../../../../shared/decode-listing.ts'
import { LISTING_IN_ROWS } from '../../../../shared/listing-format.ts'

/** What came of a folder's call. */
export interface Read {
  resource: Resource
  /** Of a folder, for `If-None-Match`. */
  etag?: string
}

/**
 * Reads the answer to a folder's call. Rows come in lines: the first tells of the folder, each other one brings more
 * entries, the last one the version. What is no folder comes as JSON.
 * @param onBegin takes the first rows where more are to come
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
      const told: ListingStart | ListedRows | ListingEnd = JSON.parse(line)
      if ('rows' in told) {
        const { rows, ...head } = told
        resource = { ...head, items: itemsOf(rows, head.path) }
        if (resource.items.length < head.numDirs + head.numFiles) onBegin({ ...resource, items: [...resource.items] })
      } else if (resource && 'etag' in told) return { resource, etag: told.etag }
      else if (resource && 'names' in told) resource.items.push(...itemsOf(told, resource.path))
    }
  }
  throw new TypeError('the listing was cut short')
}
