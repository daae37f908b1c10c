import { parsePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import { AppError, asAppError } from '../../errors.ts'
import { findUserByName } from '../../features/users/users.store.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { TagSetter } from '../../files/tags.ts'
import { noteIn } from '../audit-note.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { inWholeFolder, withMarks } from '../served-folder.ts'
import { type FiledTag, readTags } from './common.ts'

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
        const counts = { set: 0, left: 0 }
        for (const { tag, own } of owned) await importTag(own, tag, counts)
        await noteIn(db, `tags import ${file}`)
        console.log(`Items tagged: ${counts.set}`)
        if (counts.left > 0) throw new AppError('bad_request', `Items left out: ${counts.left}.`)
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

async function importTag(own: Files, tag: FiledTag, counts: { set: number; left: number }): Promise<void> {
  const setter = await own.tags.setter({ add: [await idOf(own, tag)], remove: [] })
  for (const path of tag.items) {
    const code = await tagged(setter, path)
    if (code === undefined) counts.set += 1
    else {
      counts.left += 1
      console.error(`${printable(path)}: ${code}`)
    }
  }
}

/** The tag of this name in any case, which may be new. */
async function idOf({ tags }: Files, { name, colour, user }: FiledTag): Promise<string> {
  const shared = user === undefined
  const same = (known: string) => known.toLowerCase() === name.toLowerCase()
  const known = (await tags.list()).find(tag => tag.shared === shared && same(tag.name))
  return known?.id ?? (await tags.add({ name, colour, shared })).id
}

/** @returns why an item was not tagged */
async function tagged({ set }: TagSetter, path: string): Promise<string | undefined> {
  try {
    await set(parsePath(path))
    return undefined
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code === 'internal') throw thrown
    return code
  }
}
