import type { Hash } from 'node:crypto'
import { setImmediate as othersFirst } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { FolderResource, ListedRows, ResourceItem, ResourceType } from '../../shared/api/resources.ts'
import { LISTING_IN_ROWS, SEPARATOR } from '../../shared/listing-format.ts'
import { RESOURCE_TYPES } from '../../shared/resource-types.ts'
import type { Entry } from '../files/types.ts'
import { presentItem, rfc3339, wireMode } from './serializers.ts'

/** Maximum entries of the first chunk: more than fit on a screen. */
const FIRST_ROWS = 200
/** Maximum entries of each further chunk. */
const CHUNK = 500

/** A folder's own fields, without its children. */
export type ListingHead = Omit<FolderResource, 'items'>

/** Some children, with the type of each. */
export interface Children {
  entries: readonly Entry[]
  types: readonly ResourceType[]
}

/** An encoding of a listing: as a whole, or in chunks of one line each. */
export interface ListingForm {
  type: string
  whole(head: ListingHead, children: Children): string
  first(head: ListingHead, children: Children): string
  further(children: Children): string
  /** Text after the last chunk. */
  end: string
  /** Text at the end of both, in encodings that include the version. @param tag an ETag */
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

/** A third of the size, requested by the interface (docs/design/search.md). */
const ROWS_FORM: ListingForm = {
  type: LISTING_IN_ROWS,
  whole: firstRows,
  first: firstRows,
  further: children => `${JSON.stringify(rowsOf(children))}\n`,
  end: '',
  version: etag => `${JSON.stringify({ etag })}\n`,
}

/** Rows for clients that accept them, else JSON. */
export function formFor({ headers }: Pick<FastifyRequest, 'headers'>): ListingForm {
  return headers.accept?.includes(LISTING_IN_ROWS) ? ROWS_FORM : JSON_FORM
}

/**
 * A listing in lines, so that a client can show rows before the end. In JSON, the first line followed by `]}` is a
 * complete listing, whose counts say how many entries are missing; each further line begins with a comma and adds
 * entries; the last is `]}`. Line breaks in names are escaped, so all others separate entries.
 * @param hash updated with all the text but the last line
 */
export async function* linesOf(
  form: ListingForm,
  head: ListingHead,
  batches: AsyncIterable<Children>,
  hash: Hash,
): AsyncGenerator<Buffer> {
  let opened = false
  const write = (children: Children) => {
    // A line is sent with its line break, so that clients need not wait for the next one.
    const line = Buffer.from(opened ? form.further(children) : form.first(head, children))
    opened = true
    hash.update(line)
    return line
  }
  for await (const { entries, types } of batches) {
    for (let from = 0; from < entries.length; ) {
      // A batch that is in memory and that the socket accepts at once would block the event loop until its end.
      if (opened) await othersFirst()
      const to = from + (opened ? CHUNK : FIRST_ROWS)
      yield write({ entries: entries.slice(from, to), types: types.slice(from, to) })
      from = to
    }
  }
  if (!opened) yield write({ entries: [], types: [] })
  yield Buffer.from(form.end + form.version(tagIn(hash)))
}

/** An ETag of the text so far: a weak one, since the same text may be sent compressed. */
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
