import { deleteMount } from '../../features/groups/mounts.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { demandMount } from './common.ts'

export const command: Command = {
  usage: '<name>',
  summary: 'Removes a mount from every user; the files stay',
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      await deleteMount(db, (await demandMount(db, given.positionals[0] ?? '')).id)
      console.log('removed')
    }),
}
