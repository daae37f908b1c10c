import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { inTransaction } from '../open.ts'
import { openFiles } from '../served-folder.ts'
import { importLinks } from './import/links.ts'
import { importSettings } from './import/settings.ts'
import { importAllUsers } from './import/users.ts'
import { readImportState, writeImportState } from './import-state.ts'
import { convertLinks } from './links.ts'
import { checkFolders } from './preflight.ts'
import type { Note, Report } from './report.ts'
import { convertSettings, isRecent } from './settings.ts'
import type { Source } from './source.ts'
import { convertUsers } from './users.ts'

export type Outcome = Pick<Report, 'settings' | 'users' | 'links' | 'notes'>

/**
 * Imports the data of a File Browser installation in one transaction. Changes made here since the last import stay, unless
 * `overwrite`.
 * @param config names the served folder, which is checked
 * @throws AppError with a message for the console; nothing is changed then
 */
export async function adopt(db: Db, config: Config, source: Source, overwrite: boolean): Promise<Outcome> {
  const notes: Note[] = []
  const incoming = convertSettings(source, notes)
  const incomers = convertUsers(source.users, notes)
  const links = convertLinks(source.shares, notes)
  const files = await openFiles(config, db)
  return inTransaction(db, async transaction => {
    const context = { db: transaction, last: await readImportState(transaction), overwrite, notes }
    const parts = incoming && { ...incoming, server: { ...incoming.server, root: config.root } }
    const settings = await importSettings(context, parts)
    const users = await importAllUsers(context, incomers)
    const globalRules = settings.parts.settings.rules
    await checkFolders(files, [...users.people.values()], globalRules, { recent: isRecent(source), notes })
    const scopes = new Map(incomers.map(({ id, user }) => [id, user.scope]))
    const shares = await importLinks(context, links, { files, people: users.people, scopes, globalRules })
    await writeImportState(transaction, { settings: settings.came, users: users.came, links: shares.came })
    return { settings: settings.tally, users: users.tally, links: shares.tally, notes }
  })
}
