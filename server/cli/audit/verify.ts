import { verifyAudit } from '../../audit/verify.ts'
import { AppError } from '../../errors.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'

const FLAWS = {
  missing: 'is missing: rows were removed or reordered',
  changed: 'was changed',
} as const

export const command: Command = {
  usage: '',
  summary: 'Checks whether rows of the audit log were changed or removed, also while the server runs',
  flags: [{ flag: 'head', doc: 'Row and hash printed by an earlier run (12:hash), which must still exist.' }],
  words: { least: 0, most: 0 },
  run: ({ flags }) =>
    withDb({ flags }, async db => {
      const { sound, head, broken, seen } = await verifyAudit(db, flags.get('head'))
      if (broken)
        throw new AppError(
          'bad_request',
          `Row ${broken.id} ${FLAWS[broken.flaw]}. ${sound} rows before it are unchanged.`,
        )
      if (!seen) throw new AppError('bad_request', `The row ${flags.get('head')} is no longer in this audit log.`)
      console.log(`${sound} rows are unchanged. The newest is ${head.id}:${head.hash}`)
    }),
}
