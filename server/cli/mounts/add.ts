import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { checkName, type FilePath, PathError, parsePath } from '../../../shared/path.ts'
import type { Config } from '../../config.ts'
import { openRoots } from '../../context.ts'
import type { Db } from '../../db/schema.ts'
import { AppError, asAppError } from '../../errors.ts'
import { insertMount, listMounts } from '../../features/groups/mounts.store.ts'
import { stagingKey } from '../../features/settings/settings.store.ts'
import { SHARED_NAME } from '../../files/shared-item.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'

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
      const [name = ''] = given.positionals
      demandName(name)
      const root = given.flags.get('of') ?? ''
      const folder = folderIn(given.flags.get('folder') ?? '/')
      await demandFolder(db, config, { root, folder, make: given.flags.get('make') === 'true' })
      const twin = (await listMounts(db)).find(other => other.root === root && other.folder === folder)
      if (twin) throw new AppError('exists', `The folder is the mount ${printable(twin.name)} already.`)
      const readOnly = given.flags.get('readOnly') === 'true'
      const about = { id: randomBytes(12).toString('base64url'), createdAt: Date.now() }
      if (!(await insertMount(db, { ...about, name, root, folder, readOnly })))
        throw new AppError('exists', `There is a mount ${printable(name)} already.`)
      console.log('added; give it to users and groups with: filigree mounts give')
    }),
}

function demandName(name: string): void {
  try {
    checkName(name)
  } catch {
    throw new AppError('bad_request', 'The name must be that of a folder.')
  }
  if (name.toLowerCase() === SHARED_NAME.toLowerCase()) throw new AppError('bad_request', 'Choose another name.')
}

function folderIn(text: string): FilePath {
  try {
    return parsePath(text)
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    throw new AppError('bad_request', `The folder ${printable(text)} is no path in the root.`)
  }
}

interface Wanted {
  root: string
  folder: FilePath
  make: boolean
}

async function demandFolder(db: Db, config: Config, { root, folder, make }: Wanted): Promise<void> {
  const roots = openRoots(config, { stagingKey: await stagingKey(db) }, pino({ level: 'silent' }))
  if (!roots?.find(root)) throw new AppError('not_found', `The configuration names no root ${printable(root)}.`)
  const store = await roots.open(root).catch(thrown => {
    throw new AppError(asAppError(thrown).code, `The root ${root} cannot be opened.`)
  })
  if (make) await store.mkdir(folder)
  const there = await store.stat(folder)
  if (there?.kind === 'folder') return
  throw new AppError('not_found', `There is no folder ${printable(folder)} in the root ${root}.`)
}
