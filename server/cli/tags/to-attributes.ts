import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { noteIn } from '../audit-note.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { withMarks } from '../served-folder.ts'
import { leavingOut, sharedTags } from './common.ts'

export const command: Command = {
  usage: '',
  summary: 'Adds shared tags to the extended attributes of items (user.xdg.tags), for desktop programs; removes none',
  words: { least: 0, most: 0 },
  changes: true,
  run: given =>
    withDb(given, (db, config) =>
      withMarks(config, db, async files => {
        const { own, tags } = await sharedTags(files)
        const names = new Map<string, string[]>()
        for (const { name, items } of tags) {
          if (name.includes(',')) console.error(`${name}: a comma separates tags there`)
          else for (const path of items) names.set(path, [...(names.get(path) ?? []), name])
        }
        const left = leavingOut()
        for (const [path, add] of names) await left.unless(path, () => own.tags.addOutside(parsePath(path), add))
        await noteIn(db, 'tags to-attributes')
        console.log(`Items written: ${names.size - left.count}`)
        if (left.count > 0) throw new AppError('bad_request', `Items left out: ${left.count}.`)
      }),
    ),
}
