import { FACTOR_DUTIES } from '../../../shared/api/access-settings.ts'
import { AppError } from '../../errors.ts'
import { changeAccessSettings, readAccessSettings } from '../../features/settings/settings.store.ts'
import type { Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'

/** Groups are chosen in the interface. */
const CHOICES = FACTOR_DUTIES.filter(name => name !== 'groups')

export const command: Command = {
  usage: `<${CHOICES.join('|')}>`,
  summary: 'Sets who must have a second factor, from the next sign-in',
  words: { least: 1, most: 1 },
  changes: true,
  async run(given) {
    const require = CHOICES.find(name => name === given.positionals[0])
    if (!require) throw new AppError('bad_request', `Expected ${CHOICES.join(', ')}.`)
    await withDb(given, db =>
      inTransaction(db, async transaction => {
        const { secondFactor } = await readAccessSettings(transaction)
        await changeAccessSettings(transaction, { secondFactor: { ...secondFactor, require } })
      }),
    )
    console.log(`a second factor is required of ${require}`)
  },
}
