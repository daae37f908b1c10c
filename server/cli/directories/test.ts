import { AppError } from '../../errors.ts'
import type { Directory } from '../../features/directories/directory.ts'
import { isClosed, subjectOf } from '../../features/directories/entry.ts'
import { importedGroups, isAllowed, mappedGroups } from '../../features/identities/claimed-groups.ts'
import type { Command } from '../command.ts'
import { hostOf } from '../open.ts'
import { printable } from '../print.ts'
import { demandDirectory, explain } from './common.ts'

export const command: Command = {
  usage: '<slug> [name]',
  summary: 'Connects to an LDAP directory, and shows what it has about a user; signs in nobody',
  words: { least: 1, most: 2 },
  async run(given) {
    const [slug = '', name] = given.positionals
    const directory = demandDirectory(await hostOf(given), slug)
    for (const [heading, value] of await linesAbout(directory, name).catch(explain))
      console.log(`${heading.padEnd(14)} ${printable(value)}`)
  },
}

/** @throws AppError `not_found` when no entry has the name */
async function linesAbout(directory: Directory, name: string | undefined): Promise<[string, string][]> {
  const { settings } = directory
  return directory.work(async (connection, server) => {
    const lines: [string, string][] = [
      ['Server', `${server.host}:${server.port}`],
      ['Encryption', server.tls],
      ['Signed in as', settings.bindDn || 'nobody'],
    ]
    if (name === undefined) return [...lines, ['Users', String((await directory.findAll(connection)).length)]]
    const entry = await directory.find(connection, name)
    if (!entry) throw new AppError('not_found', `No entry of the directory has the name '${printable(name)}'.`)
    const { names, titles, isCut } = await directory.groups(connection, server, entry)
    return [
      ...lines,
      ['Entry', entry.dn],
      ['Fixed id', subjectOf(entry, settings.subjectAttribute) ?? 'none: the user cannot sign in'],
      ['Name', entry.text(settings.usernameAttribute) ?? 'none: the user cannot sign in'],
      ['Closed', isClosed(entry, Date.now()) ? 'yes' : 'no'],
      ['Groups', `${names.join('; ') || 'none'}${isCut ? ' …' : ''}`],
      ['Groups here', [...mappedGroups(names, settings), ...importedGroups(titles, settings)].join('; ') || 'none'],
      ['May come in', isAllowed(names, settings) ? 'yes' : 'no'],
    ]
  })
}
