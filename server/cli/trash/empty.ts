import { AppError, asAppError } from '../../errors.ts'
import type { SeenKept } from '../../files/trash.ts'
import type { Command } from '../command.ts'
import { printable } from '../print.ts'
import { BEFORE_FLAG, OF_FLAG, onTrash, requestOf, USER_FLAG } from './common.ts'

export const command: Command = {
  usage: '',
  summary: 'Deletes the items in the trash for good, also while the server runs',
  flags: [USER_FLAG, BEFORE_FLAG, OF_FLAG, { flag: 'yes', boolean: true, doc: 'Needed: there is no way back.' }],
  words: { least: 0, most: 0 },
  run: given =>
    onTrash(given, async ({ trash, top, note }) => {
      const { items } = await trash.list(requestOf(given, top), Number.POSITIVE_INFINITY)
      if (given.flags.get('yes') !== 'true')
        throw new AppError('bad_request', `${items.length} items would be deleted for good. Add --yes to do it.`)
      const gone: SeenKept[] = []
      for (const { id } of items) {
        try {
          const purged = await trash.purge(id)
          gone.push(purged)
          await note('purge', purged.path)
        } catch (thrown) {
          const { code } = asAppError(thrown)
          if (code === 'internal') throw thrown
          console.error(`${printable(id)}: ${code}`)
        }
      }
      await trash.clear(gone)
      console.log(`Deleted for good: ${gone.length} of ${items.length}.`)
    }),
}
