import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { findUserByName } from '../../features/users/users.store.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { noteIn } from '../audit-note.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { inWholeFolder, withMarks } from '../served-folder.ts'
import { type FiledTag, importTag, leavingOut, readTags } from './common.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Adds the tags of a .json, .yaml or .csv file to users and items; removes none',
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, (db, config) =>
      withMarks(config, db, async files => {
        const [file = ''] = given.positionals
        const owned = await withOwners(db, files, readTags(file))
        const left = leavingOut()
        let set = 0
        for (const { tag, own } of owned) set += await importTag(own, tag, left)
        await noteIn(db, `tags import ${file}`)
        console.log(`Items tagged: ${set}`)
        if (left.count > 0) throw new AppError('bad_request', `Items left out: ${left.count}.`)
      }),
    ),
}

/** Nothing is imported where a user is missing. @throws AppError `not_found` */
async function withOwners(db: Db, files: FilesService, tags: readonly FiledTag[]) {
  const known = new Map<string, Files>()
  const ownerOf = async (name = ''): Promise<Files> => {
    const user = name === '' ? { id: 0, username: '' } : await findUserByName(db, name)
    if (!user) throw new AppError('not_found', `There is no user '${printable(name)}'.`)
    const own = known.get(name) ?? (await files.for(inWholeFolder(user.id, user.username)))
    known.set(name, own)
    return own
  }
  const owned: { tag: FiledTag; own: Files }[] = []
  for (const tag of tags) owned.push({ tag, own: await ownerOf(tag.user) })
  return owned
}
