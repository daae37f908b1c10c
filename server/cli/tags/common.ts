import { extname } from 'node:path'
import * as z from 'zod/mini'
import { MAX_TAG_NAME, TAG_COLOURS, type Tag } from '../../../shared/api/tags.ts'
import { parsePath } from '../../../shared/path.ts'
import { asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { csvCells, csvLine } from '../../responses/csv.ts'
import { checked } from '../check.ts'
import { readDataFile, readTextFile, writeDataFile, writeTextFile } from '../data-file.ts'
import { printable } from '../print.ts'
import { inWholeFolder } from '../served-folder.ts'

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

/** The shared tags, with the items that have them. */
export async function sharedTags(files: FilesService): Promise<{ own: Files; tags: FiledTag[] }> {
  const own = await files.for(inWholeFolder())
  const shared = (await own.tags.list()).filter(tag => tag.shared)
  return { own, tags: await filed(own, shared) }
}

export async function filed({ tags }: Files, list: readonly Tag[]): Promise<FiledTag[]> {
  const found: FiledTag[] = []
  for (const { id, name, colour } of list) {
    const items: string[] = []
    for (let before: string | undefined, more = true; more; more = before !== undefined) {
      const page = await tags.itemsWith(id, before)
      // What is in the trash has no path to find it by.
      items.push(...page.items.filter(({ trash }) => !trash).map(({ path }) => path))
      before = page.next
    }
    found.push({ name, colour, items: items.sort() })
  }
  return found
}

/** Items that are left out, each with a line on the console. */
export interface LeftOut {
  count: number
  /** @returns whether `act` succeeded */
  unless(path: string, act: () => Promise<unknown>): Promise<boolean>
}

export function leavingOut(): LeftOut {
  return {
    count: 0,
    async unless(path, act) {
      try {
        await act()
        return true
      } catch (thrown) {
        const { code } = asAppError(thrown)
        if (code === 'internal') throw thrown
        this.count += 1
        console.error(`${printable(path)}: ${code}`)
        return false
      }
    },
  }
}

/** Adds a tag to its items, and makes it where it is missing. @returns how many items have it now */
export async function importTag(own: Files, tag: FiledTag, left: LeftOut): Promise<number> {
  const setter = await own.tags.setter({ add: [await idOf(own, tag)], remove: [] })
  let set = 0
  for (const path of tag.items) if (await left.unless(path, () => setter.set(parsePath(path)))) set += 1
  return set
}

/** The tag of this name in any case, which may be new. */
async function idOf({ tags }: Files, { name, colour, user }: FiledTag): Promise<string> {
  const shared = user === undefined
  const same = (known: string) => known.toLowerCase() === name.toLowerCase()
  const known = (await tags.list()).find(tag => tag.shared === shared && same(tag.name))
  return known?.id ?? (await tags.add({ name, colour, shared })).id
}
