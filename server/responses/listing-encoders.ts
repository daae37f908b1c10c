import type { Hash } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { FolderResource, ListedRows, ResourceItem, ResourceType } from '../../shared/api/resources.ts'
import { LISTING_IN_ROWS, SEPARATOR } from '../../shared/listing-format.ts'
import { RESOURCE_TYPES } from '../../shared/resource-types.ts'
import type { Entry } from '../files/types.ts'
import { presentItem, rfc3339, wireMode } from './serializers.ts'

/** Entries of the first piece, at most: more than there is room for on a screen. */
const FIRST_ROWS = 200
/** Entries of each further piece, at most. */
const PIECE = 500

/** What is told of a folder besides its children. */
export type ListingHead = Omit<FolderResource, 'items'>

/** Some children, and how each of them is shown. */
export interface Children {
  entries: readonly Entry[]
  types: readonly ResourceType[]
}

/** How a listing is written: at once, or in pieces of which each is a line. */
export interface ListingForm {
  type: string
  whole(head: ListingHead, children: Children): string
  first(head: ListingHead, children: Children): string
  further(children: Children): string
  /** What stands behind the last piece. */
  end: string
  /** What stands at the end of both, where the form tells its version. @param tag an ETag */
  version(tag: string): string
}

/** What every client reads (http-api 15.1). */
const JSON_FORM: ListingForm = {
  type: 'application/json; charset=utf-8',
  whole: (head, children) => JSON.stringify({ items: presented(children), ...head }),
  first: (head, children) => `${JSON.stringify(head).slice(0, -1)},"items":[${inArray(children)}\n`,
  further: children => `,${inArray(children)}\n`,
  end: ']}',
  version: () => '',
}

const firstRows: ListingForm['first'] = (head, children) => `${JSON.stringify({ ...head, rows: rowsOf(children) })}\n`

/** A third of it, which the interface asks for (docs/design/search.md). */
const ROWS_FORM: ListingForm = {
  type: LISTING_IN_ROWS,
  whole: firstRows,
  first: firstRows,
  further: children => `${JSON.stringify(rowsOf(children))}\n`,
  end: '',
  version: etag => `${JSON.stringify({ etag })}\n`,
}

/** Rows for those who ask for them, else JSON. */
export function formFor({ headers }: Pick<FastifyRequest, 'headers'>): ListingForm {
  return headers.accept?.includes(LISTING_IN_ROWS) ? ROWS_FORM : JSON_FORM
}

/**
 * A listing in lines, so that a reader need not wait for its end. As JSON the first with `]}` added is a listing itself,
 * of which the counts tell how many entries are missing; each further one begins with a comma and brings entries; the last
 * is `]}`. Line breaks in names are escaped, so that all others stand between entries.
 * @param hash is given all the text but the last line
 */
export async function* linesOf(
  form: ListingForm,
  head: ListingHead,
  batches: AsyncIterable<Children>,
  hash: Hash,
): AsyncGenerator<Buffer> {
  let opened = false
  const write = (children: Children) => {
    // A line is told with its end, so that readers need not wait for the next one.
    const line = Buffer.from(opened ? form.further(children) : form.first(head, children))
    opened = true
    hash.update(line)
    return line
  }
  for await (const { entries, types } of batches) {
    for (let from = 0; from < entries.length; ) {
      // What a thread has read and a socket takes at once would keep everybody else waiting until the end.
      if (opened) await othersFirst()
      const to = from + (opened ? PIECE : FIRST_ROWS)
      yield write({ entries: entries.slice(from, to), types: types.slice(from, to) })
      from = to
    }
  }
  if (!opened) yield write({ entries: [], types: [] })
  yield Buffer.from(form.end + form.version(tagIn(hash)))
}

/** What the text of a listing comes to so far, as an ETag: a weak one, since the same text may be sent compressed. */
export function tagIn(hash: Hash): string {
  return `W/"${hash.copy().digest('base64url').slice(0, 22)}"`
}

const presented = ({ entries, types }: Children): ResourceItem[] =>
  entries.map((entry, index) => presentItem(entry, types[index]))

const inArray = (children: Children) => JSON.stringify(presented(children)).slice(1, -1)

/** Columns of the same length; see `itemsOf`, which reads them. */
function rowsOf({ entries, types }: Children): ListedRows {
  return {
    names: entries.map(entry => entry.name).join(SEPARATOR),
    sizes: entries.map(entry => entry.size),
    modified: entries.map(entry => rfc3339(entry.modified)).join(SEPARATOR),
    modes: entries.map(wireMode),
    types: types.map(type => RESOURCE_TYPES.indexOf(type)).join(''),
    links: entries.flatMap((entry, index) => (entry.isLink ? [index] : [])),
  }
}
