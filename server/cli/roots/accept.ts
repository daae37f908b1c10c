import { pino } from 'pino'
import { openRoots } from '../../context.ts'
import { AppError, asAppError } from '../../errors.ts'
import { seenRoots } from '../../features/groups/roots.store.ts'
import { stagingKey } from '../../features/settings/settings.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'

export const command: Command = {
  usage: '<name>',
  summary: 'Takes the disk or folder that is in the place of a root now for that root',
  flags: [],
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async (db, config) => {
      const [name = ''] = given.positionals
      const seen = seenRoots(db)
      const roots = openRoots(config, { stagingKey: await stagingKey(db), seen }, pino({ level: 'silent' }))
      if (!roots?.find(name)) throw new AppError('bad_request', `The configuration names no root ${name}.`)
      await roots.accept(name).catch((thrown: unknown) => {
        throw new AppError(asAppError(thrown).code, `The root ${name} cannot be opened.`)
      })
      console.log('accepted; a running server uses it within ten seconds, and share links into it are paused')
    }),
}
