import { verifyAudit } from '../../audit/verify.ts'
import { AppError } from '../../errors.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'

const FLAWS = {
  missing: 'is missing: it, or rows behind it, were removed or put in another order',
  changed: 'is not what was written',
} as const

export const command: Command = {
  usage: '',
  summary: 'Looks whether rows of the audit log were changed or removed, also while the server runs',
  flags: [
    { flag: 'head', doc: 'A row and its hash, as an earlier run printed them (12:hash): they must still be there.' },
  ],
  words: { least: 0, most: 0 },
  run: ({ flags }) =>
    withDb({ flags }, async db => {
      const { sound, head, broken, seen } = await verifyAudit(db, flags.get('head'))
      if (broken)
        throw new AppError('bad_request', `Row ${broken.id} ${FLAWS[broken.flaw]}. ${sound} rows before it are sound.`)
      if (!seen) throw new AppError('bad_request', `The row ${flags.get('head')} is not in this audit log any more.`)
      console.log(`${sound} rows are as they were written. The newest is ${head.id}:${head.hash}`)
    }),
}
