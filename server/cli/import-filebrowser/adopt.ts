import type { Config } from '../../config.ts'
import { openFiles } from '../../context.ts'
import type { Db } from '../../db/schema.ts'
import { atOnce } from '../open.ts'
import { bringLinks } from './import/links.ts'
import { bringSettings } from './import/settings.ts'
import { bringUsers } from './import/users.ts'
import { readMemory, writeMemory } from './import-state.ts'
import { convertLinks } from './links.ts'
import { lookAtFolders } from './preflight.ts'
import type { Note, Report } from './report.ts'
import { convertSettings, isRecent } from './settings.ts'
import type { Source } from './source.ts'
import { convertUsers } from './users.ts'

export type Outcome = Pick<Report, 'settings' | 'users' | 'links' | 'notes'>

/**
 * Brings what an installation of File Browser keeps into a database, all of it or nothing. What was changed here since
 * the last time stays, unless `overwrite`.
 * @param config names the served folder, which is looked into
 * @throws AppError with a sentence for the console; nothing was changed then
 */
export async function adopt(db: Db, config: Config, source: Source, overwrite: boolean): Promise<Outcome> {
  const notes: Note[] = []
  const incoming = convertSettings(source, notes)
  const incomers = convertUsers(source.users, notes)
  const links = convertLinks(source.shares, notes)
  const files = await openFiles(config, db)
  return atOnce(db, async transaction => {
    const ground = { db: transaction, last: await readMemory(transaction), overwrite, notes }
    const parts = incoming && { ...incoming, server: { ...incoming.server, root: config.root } }
    const settings = await bringSettings(ground, parts)
    const users = await bringUsers(ground, incomers)
    const globalRules = settings.parts.settings.rules
    await lookAtFolders(files, [...users.people.values()], globalRules, { recent: isRecent(source), notes })
    const scopes = new Map(incomers.map(({ id, user }) => [id, user.scope]))
    const shares = await bringLinks(ground, links, { files, people: users.people, scopes, globalRules })
    await writeMemory(transaction, { settings: settings.came, users: users.came, links: shares.came })
    return { settings: settings.tally, users: users.tally, links: shares.tally, notes }
  })
}
