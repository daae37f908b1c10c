import type { Db } from '../../db/schema.ts'
import { listUsers } from '../../features/users/users.store.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { inWholeFolder, withMarks } from '../served-folder.ts'
import { type FiledTag, filed, sharedTags, writeTags } from './common.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Writes the tags of all users, and which items have them, to a .json, .yaml or .csv file',
  words: { least: 1, most: 1 },
  run: given =>
    withDb(given, (db, config) =>
      withMarks(config, db, async files => {
        const tags = [...(await sharedTags(files)).tags, ...(await ownTags(files, db))]
        writeTags(given.positionals[0] ?? '', tags)
        console.log(`${tags.length} tags exported`)
      }),
    ),
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
