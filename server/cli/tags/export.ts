import type { Tag } from '../../../shared/api/tags.ts'
import type { Db } from '../../db/schema.ts'
import { listUsers } from '../../features/users/users.store.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { inWholeFolder, withMarks } from '../served-folder.ts'
import { type FiledTag, writeTags } from './common.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Writes the tags of all users, and which items have them, to a .json, .yaml or .csv file',
  words: { least: 1, most: 1 },
  run: given =>
    withDb(given, (db, config) =>
      withMarks(config, db, async files => {
        const tags = [...(await sharedTags(files)), ...(await ownTags(files, db))]
        writeTags(given.positionals[0] ?? '', tags)
        console.log(`${tags.length} tags exported`)
      }),
    ),
}

async function sharedTags(files: FilesService): Promise<FiledTag[]> {
  const own = await files.for(inWholeFolder(0, ''))
  return filed(
    own,
    (await own.tags.list()).filter(({ shared }) => shared),
  )
}

async function ownTags(files: FilesService, db: Db): Promise<FiledTag[]> {
  const tags: FiledTag[] = []
  for (const { id, username } of await listUsers(db)) {
    const own = await files.for(inWholeFolder(id, username))
    const list = (await own.tags.list()).filter(({ shared }) => !shared)
    tags.push(...(await filed(own, list)).map(tag => ({ ...tag, user: username })))
  }
  return tags
}

async function filed({ tags }: Files, list: readonly Tag[]): Promise<FiledTag[]> {
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
