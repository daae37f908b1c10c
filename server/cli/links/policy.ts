import { LINK_NAMINGS, LinkPolicy } from '../../../shared/api/access-settings.ts'
import { LINK_KINDS } from '../../../shared/api/shares.ts'
import { AppError } from '../../errors.ts'
import { changeAccessSettings, readAccessSettings } from '../../features/settings/settings.store.ts'
import type { Arguments, Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'

const wordsOf = (words: readonly string[]) => new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words)

export const command: Command = {
  usage: '',
  summary: 'Shows which share links users may make, or changes that; links that exist stay as they are',
  flags: [
    { flag: 'kinds', doc: `Kinds of links, with commas between them: ${wordsOf(LINK_KINDS)}; none for no links.` },
    { flag: 'password', doc: 'Whether links need a password: required or optional.' },
    { flag: 'days', doc: 'Days until a link ends, at most; 0 for no limit.' },
    { flag: 'names', doc: `Which links have names in their addresses: ${wordsOf(LINK_NAMINGS)}.` },
  ],
  words: { least: 0, most: 0 },
  changes: true,
  run: given =>
    withDb(given, db =>
      inTransaction(db, async transaction => {
        const before = (await readAccessSettings(transaction)).links
        const links = changed(before, given)
        if (given.flags.size > 0) await changeAccessSettings(transaction, { links })
        const { kinds, password, maxDays, slugs } = links
        console.log(`kinds: ${kinds.join(',') || 'none'}`)
        console.log(`password: ${password}`)
        console.log(`days: ${maxDays}`)
        console.log(`names: ${slugs}`)
      }),
    ),
}

function changed(before: LinkPolicy, { flags }: Arguments): LinkPolicy {
  const kinds = flags.get('kinds')
  const days = flags.get('days')
  const links = {
    kinds: kinds === undefined ? before.kinds : kinds.split(',').filter(kind => kind !== '' && kind !== 'none'),
    password: flags.get('password') ?? before.password,
    maxDays: days === undefined ? before.maxDays : Number(days),
    slugs: flags.get('names') ?? before.slugs,
  }
  const { success, data, error } = LinkPolicy.safeParse(links)
  if (success) return data
  const [field = ''] = error.issues[0]?.path ?? []
  throw new AppError('bad_request', `${NAMES[String(field)] ?? 'A value'} is not valid: see filigree help links policy`)
}

const NAMES: Readonly<Record<string, string>> = {
  kinds: '--kinds',
  password: '--password',
  maxDays: '--days',
  slugs: '--names',
}
