import type { FileResource, FolderResource } from '../../../shared/api/resources.ts'

/** Entries above which a listing is sent in pieces. */
const LONG = 1000
/** Entries of the first piece: more than there is room for on a screen. */
const FIRST_ROWS = 200
/** Entries of each further piece. */
const PIECE = 500

/** Whether a resource is a folder of so many entries that its listing takes a while to arrive. */
export function isLong(resource: FileResource | FolderResource): resource is FolderResource {
  return 'items' in resource && resource.items.length > LONG
}

/**
 * The listing as JSON in lines, so that a reader need not wait for its end: the first with `]}` added is a listing
 * itself, of which the counts tell how many entries are missing; each further one begins with a comma and brings entries;
 * the last is `]}`. Line breaks in names are escaped, so that all others stand between entries.
 */
export function* piecesOf({ items, ...head }: FolderResource): Generator<string> {
  const entries = (from: number, to: number) => JSON.stringify(items.slice(from, to)).slice(1, -1)
  yield `${JSON.stringify(head).slice(0, -1)},"items":[${entries(0, FIRST_ROWS)}`
  for (let from = FIRST_ROWS; from < items.length; from += PIECE) yield `\n,${entries(from, from + PIECE)}`
  yield '\n]}'
}

/** Whether whoever asks can read gzip (RFC 9110, section 12.5.3). */
export function takesGzip(accepted: string | undefined): boolean {
  const weights = (accepted ?? '').split(',').map(part => part.trim().split(/\s*;\s*q=/i))
  const [, weight = '1'] = weights.find(([coding]) => coding?.toLowerCase() === 'gzip') ?? ['', '0']
  return Number(weight) > 0
}
