import { AppError } from '../../errors.ts'
import { takeMount } from '../../features/groups/mounts.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { demandMount, SUBJECT_FLAGS, subjectIn } from './common.ts'

export const command: Command = {
  usage: '<name>',
  summary: 'Takes a mount from a user or a group; the files stay',
  flags: [...SUBJECT_FLAGS],
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const { id } = await demandMount(db, given.positionals[0] ?? '')
      if (!(await takeMount(db, id, await subjectIn(db, given))))
        throw new AppError('not_found', 'It is not given to them directly.')
      console.log('taken')
    }),
}
