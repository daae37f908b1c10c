import { extname } from 'node:path'
import * as z from 'zod/mini'
import { MAX_TAG_NAME, TAG_COLOURS } from '../../../shared/api/tags.ts'
import { csvCells, csvLine } from '../../responses/csv.ts'
import { checked } from '../check.ts'
import { readDataFile, readTextFile, writeDataFile, writeTextFile } from '../data-file.ts'

const FiledTag = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(MAX_TAG_NAME)),
  colour: z.enum(TAG_COLOURS),
  /** Whose it is; every user's without a name. */
  user: z.exactOptional(z.string()),
  /** Paths of the served folder. */
  items: z.array(z.string()),
})
/** A tag in a file, with the items that have it. */
export type FiledTag = z.infer<typeof FiledTag>

const CSV_HEAD = ['user', 'tag', 'colour', 'path']
const LIKE = [{ name: '', colour: '', user: '', items: [''] }]

const isCsv = (file: string) => extname(file).toLowerCase() === '.csv'

/** @throws AppError `bad_request` with a message for the console */
export function writeTags(file: string, tags: readonly FiledTag[]): void {
  if (!isCsv(file)) {
    writeDataFile(file, tags)
    return
  }
  const lines = tags.flatMap(({ user, name, colour, items }) =>
    // A tag that no item has is a line without a path.
    (items.length === 0 ? [''] : items).map(path => csvLine([user, name, colour, path])),
  )
  writeTextFile(file, [csvLine(CSV_HEAD), ...lines].join(''))
}

/** @throws AppError `bad_request` naming the field */
export function readTags(file: string): FiledTag[] {
  const content = isCsv(file) ? fromCsv(readTextFile(file)) : readDataFile(file, LIKE)
  return checked(z.array(FiledTag), content, 'tags')
}

function fromCsv(text: string): unknown[] {
  const [, ...lines] = csvCells(text)
  return lines.map(([user, name, colour, path = '']) => ({
    name,
    colour,
    ...(user !== '' && { user }),
    items: path === '' ? [] : [path],
  }))
}
