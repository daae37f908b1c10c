import { parsePath } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Arguments, Command } from '../command.ts'
import { printable } from '../print.ts'
import { type ConsoleTrash, OF_FLAG, onTrash } from './common.ts'

/** More arguments than a command line has. */
const MANY = 10_000

export const command: Command = {
  usage: '<id...>',
  summary: 'Restores deleted items to the paths they had, also while the server runs',
  flags: [
    { flag: 'to', doc: 'Restores the one item to this path of the served root.' },
    { flag: 'keep-both', boolean: true, doc: 'Chooses another name when one is taken; the default.' },
    { flag: 'replace', boolean: true, doc: 'Moves what has the name to the trash.' },
    OF_FLAG,
  ],
  words: { least: 1, most: MANY },
  async run(given) {
    const { flags, positionals } = given
    const isReplacing = flags.get('replace') === 'true'
    if (isReplacing && flags.get('keep-both') === 'true')
      throw new AppError('bad_request', 'Give either --keep-both or --replace.')
    if (flags.has('to') && positionals.length > 1) throw new AppError('bad_request', '--to takes one item.')
    const failed = await onTrash(given, async found => {
      let count = 0
      for (const id of positionals) if (!(await restored(found, id, flags, isReplacing))) count += 1
      return count
    })
    if (failed > 0) throw new AppError('bad_request', `Not restored: ${failed} of ${positionals.length}.`)
  },
}

/** Restores one item and prints the result. */
async function restored(
  { trash, note }: ConsoleTrash,
  id: string,
  flags: Arguments['flags'],
  isReplacing: boolean,
): Promise<boolean> {
  const goal = flags.get('to')
  const choice = isReplacing ? 'replace' : 'keepBoth'
  try {
    const { path } = await trash.find(id)
    const to = await trash.restore(id, { choose: () => choice, ...(goal !== undefined && { to: parsePath(goal) }) })
    if (to === undefined) return false
    await note('trash.restore', path, to)
    console.log(printable(to))
    return true
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code === 'internal') throw thrown
    console.error(`${printable(id)}: ${code}`)
    return false
  }
}
