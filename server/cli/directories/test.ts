import { readFileSync } from 'node:fs'
import { openLocalCluster } from '../../cluster/local.ts'
import { wasSetUp } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { describedBy } from '../../features/directories/directories.ts'
import type { Directory } from '../../features/directories/directory.ts'
import { DirectoryError } from '../../features/directories/directory-error.ts'
import { type DirectoryEntry, isClosed, subjectOf } from '../../features/directories/entry.ts'
import { foreseenAccount } from '../../features/identities/account.ts'
import { importedGroups, isAllowed, mappedGroups } from '../../features/identities/claimed-groups.ts'
import { SignInProblem } from '../../features/identities/problem.ts'
import type { Command } from '../command.ts'
import { hostOf, inDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandDirectory, explain } from './common.ts'

export const command: Command = {
  usage: '<slug> [name]',
  summary: 'Connects to an LDAP directory, and shows what it has about a user; signs in nobody',
  flags: [{ flag: 'passwordFile', doc: 'A file with the password of the user, to check it as well.' }],
  words: { least: 1, most: 2 },
  async run(given) {
    const [slug = '', name] = given.positionals
    const config = await hostOf(given)
    const directory = demandDirectory(config, slug)
    const file = given.flags.get('passwordFile')
    const print = ([heading, value]: Line) => console.log(`${heading.padEnd(14)} ${printable(value)}`)
    const { lines, entry } = await linesAbout(directory, name).catch(explain)
    lines.forEach(print)
    if (!entry || name === undefined) return
    if (file !== undefined) print(['Password', await passwordLine(directory, name, passwordIn(file))])
    if (await wasSetUp(config.database))
      print(['Account here', await inDb(config, db => accountLine(db, directory, entry))])
  },
}

type Line = [heading: string, value: string]

/** The first line of a file. */
function passwordIn(file: string): string {
  const [password = ''] = readFileSync(file, 'utf8').split(/\r?\n/)
  if (password === '') throw new AppError('bad_request', `The file ${printable(file)} is empty.`)
  return password
}

async function passwordLine(directory: Directory, name: string, password: string): Promise<string> {
  try {
    await directory.verify(name, password)
    return 'right'
  } catch (error) {
    if (error instanceof DirectoryError && error.fault === 'refused') return `wrong: ${error.message}`
    return explain(error)
  }
}

/** The account that a sign-in would lead to. Its folder is not looked at. */
async function accountLine(db: Db, { id: issuer, settings }: Directory, entry: DirectoryEntry): Promise<string> {
  const deps = { db, cluster: openLocalCluster(), makeHome: async () => {} }
  const subject = subjectOf(entry, settings.subjectAttribute) ?? ''
  try {
    const { username, isNew } = await foreseenAccount(deps, settings, { issuer, subject }, describedBy(entry, settings))
    return isNew ? `${username}: a new one, if its folder is free` : username
  } catch (error) {
    if (!(error instanceof SignInProblem)) throw error
    return `none: ${error.message}`
  }
}

/** @throws AppError `not_found` when no entry has the name */
async function linesAbout(
  directory: Directory,
  name: string | undefined,
): Promise<{ lines: Line[]; entry?: DirectoryEntry }> {
  const { settings } = directory
  return directory.work(async (connection, server) => {
    const lines: Line[] = [
      ['Server', `${server.host}:${server.port}`],
      ['Encryption', server.tls],
      ['Signed in as', settings.bindDn || 'nobody'],
    ]
    if (name === undefined) {
      lines.push(['Users', String((await directory.findAll(connection)).length)])
      return { lines }
    }
    const entry = await directory.find(connection, name)
    if (!entry) throw new AppError('not_found', `No entry of the directory has the name '${printable(name)}'.`)
    const { names, titles, isCut } = await directory.groups(connection, server, entry)
    lines.push(
      ['Entry', entry.dn],
      ['Fixed id', subjectOf(entry, settings.subjectAttribute) ?? 'none: the user cannot sign in'],
      ['Name', entry.text(settings.usernameAttribute) ?? 'none: the user cannot sign in'],
      ['Closed', isClosed(entry, Date.now()) ? 'yes' : 'no'],
      ['Groups', `${names.join('; ') || 'none'}${isCut ? ' …' : ''}`],
      ['Groups here', [...mappedGroups(names, settings), ...importedGroups(titles, settings)].join('; ') || 'none'],
      ['May come in', isAllowed(names, settings) ? 'yes' : 'no'],
    )
    return { lines, entry }
  })
}
