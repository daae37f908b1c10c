import { pino } from 'pino'
import { openRoots } from '../../context.ts'
import { seenRoots } from '../../features/groups/roots.store.ts'
import { addMount } from '../../features/mounts/mounts.ts'
import { stagingKey } from '../../features/settings/settings.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'

export const command: Command = {
  usage: '<name>',
  summary: 'Makes a folder of another root known by a name, so that it can be given to users and groups',
  flags: [
    { flag: 'of', doc: 'The root, as the configuration names it.' },
    { flag: 'folder', doc: 'The folder in it; all of it by default.' },
    { flag: 'make', boolean: true, doc: 'Make the folder if it is missing.' },
    { flag: 'readOnly', boolean: true, doc: 'No user changes anything in it.' },
  ],
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async (db, config) => {
      const { positionals, flags } = given
      const [name = ''] = positionals
      const roots = openRoots(
        config,
        { stagingKey: await stagingKey(db), seen: seenRoots(db) },
        pino({ level: 'silent' }),
      )
      const folder = { root: flags.get('of') ?? '', folder: flags.get('folder') ?? '/' }
      const [make, readOnly] = [flags.get('make') === 'true', flags.get('readOnly') === 'true']
      await addMount({ db, roots }, { name, ...folder, make, readOnly })
      console.log('added; give it to users and groups with: filigree mounts give')
    }),
}
