import { MAX_TAG_NAME } from '../../../shared/api/tags.ts'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { noteIn } from '../audit-note.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { inWholeFolder, withMarks } from '../served-folder.ts'
import { importTag, type LeftOut, leavingOut } from './common.ts'

export const command: Command = {
  usage: '[folder]',
  summary: 'Adds tags that desktop programs set on items (user.xdg.tags) as shared tags; removes none',
  words: { least: 0, most: 1 },
  changes: true,
  run: given =>
    withDb(given, (db, config) =>
      withMarks(config, db, async files => {
        const own = await files.for(inWholeFolder())
        const left = leavingOut()
        const folder = parsePath(given.positionals[0] ?? '/')
        // Where the disk has no attributes at all, this says so once.
        await own.tags.outside(folder)
        const found = await tagsBelow(own, folder, left)
        let set = 0
        for (const [name, items] of found) {
          set += await importTag(own, { name, colour: 'grey', items }, left)
        }
        await noteIn(db, 'tags from-attributes')
        console.log(`Items tagged: ${set}`)
        if (left.count > 0) throw new AppError('bad_request', `Items left out: ${left.count}.`)
      }),
    ),
}

/** The items by the name of each tag that they have. */
async function tagsBelow(own: Files, folder: FilePath, left: LeftOut) {
  const found = new Map<string, FilePath[]>()
  for await (const group of await own.walk(folder)) {
    for (const { entry } of group) {
      if (!entry || entry.isLink || entry.kind === 'special') continue
      await left.unless(entry.path, async () => {
        for (const name of await outsideOf(own, entry.path)) {
          if (name.length > MAX_TAG_NAME) throw new AppError('name_too_long')
          found.set(name, [...(found.get(name) ?? []), entry.path])
        }
      })
    }
  }
  return found
}

/** None on a disk in the folder that has no attributes. */
async function outsideOf({ tags }: Files, path: FilePath): Promise<string[]> {
  try {
    return await tags.outside(path)
  } catch (thrown) {
    if (asAppError(thrown).code === 'unsupported') return []
    throw thrown
  }
}
