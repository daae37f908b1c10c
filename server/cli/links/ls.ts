import { LINK_KINDS } from '../../../shared/api/shares.ts'
import { AppError } from '../../errors.ts'
import { listShares, type OwnedShare } from '../../features/shares/shares.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { demandUser } from '../users/common.ts'

const KINDS = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(LINK_KINDS)
const HEADINGS = ['Hash', 'Owner', 'Path', 'Kind', 'State', 'Ends', 'Password', 'Opened', 'Last use']

export const command: Command = {
  usage: '',
  summary: 'Lists share links, by owner and end',
  flags: [
    { flag: 'user', short: 'u', doc: 'Only those of the user with this name or id.' },
    { flag: 'kind', doc: `Only those of this kind: ${KINDS}.` },
    { flag: 'ended', boolean: true, doc: 'Only those that have ended and not been removed yet.' },
    { flag: 'paused', boolean: true, doc: 'Only those that are paused.' },
    { flag: 'without-password', boolean: true, doc: 'Only those without a password.' },
    { flag: 'without-end', boolean: true, doc: 'Only those that never end.' },
    { flag: 'json', boolean: true, doc: 'Print a JSON object for each.' },
  ],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const has = (flag: string) => given.flags.get(flag) === 'true'
      const word = given.flags.get('user')
      const owner = word === undefined ? undefined : await demandUser(db, word)
      const kind = given.flags.get('kind')
      if (kind !== undefined && !LINK_KINDS.some(known => known === kind))
        throw new AppError('bad_request', `A kind is ${KINDS}.`)
      const links = await listShares(db, owner ? { userId: owner.id } : {})
      const now = Date.now() / 1000
      const rows = links
        .filter(link => kind === undefined || link.purpose === kind)
        .filter(link => !has('paused') || link.pausedAt !== null)
        .filter(link => !has('without-password') || link.passwordHash === '')
        .filter(link => !has('without-end') || link.expire === 0)
        .map(link => rowOf(link, now))
        .filter(({ state }) => !has('ended') || state === 'ended')
      if (has('json')) for (const row of rows) console.log(JSON.stringify(row))
      else printTable(HEADINGS, rows.map(cellsOf))
    }),
}

function rowOf({ hash, username, path, purpose, expire, pausedAt, passwordHash, used }: OwnedShare, now: number) {
  const isOver = expire !== 0 && expire <= now
  return {
    ...{ hash, owner: username, path, kind: purpose },
    state: isOver ? 'ended' : pausedAt === null ? 'open' : 'paused',
    ends: expire === 0 ? null : new Date(expire * 1000).toISOString(),
    ...{ password: passwordHash !== '', opened: used.views },
    last: used.last === null ? null : new Date(used.last).toISOString(),
  }
}

const cellsOf = ({ hash, owner, path, kind, state, ends, password, opened, last }: ReturnType<typeof rowOf>) => [
  ...[hash, printable(owner), printable(path), kind, state, ends ?? 'never'],
  ...[password ? 'yes' : 'no', String(opened), last ?? 'never'],
]
