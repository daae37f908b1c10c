import { LINK_KINDS } from '../../../shared/api/shares.ts'
import { AppError } from '../../errors.ts'
import { type LinkNow, linksNow } from '../../features/shares/links-now.ts'
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
    { flag: 'shut', boolean: true, doc: "Only those that their owner's account or permissions keep from opening." },
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
      const links = await linksNow({ db }, await listShares(db, owner ? { userId: owner.id } : {}))
      const now = Date.now() / 1000
      const rows = links
        .filter(link => kind === undefined || link.purpose === kind)
        .filter(link => !has('paused') || link.pausedAt !== null)
        .filter(link => !has('without-password') || link.passwordHash === '')
        .filter(link => !has('without-end') || link.expire === 0)
        .map(link => rowOf(link, now))
        .filter(({ state }) => !has('ended') || state === 'ended')
        .filter(({ state }) => !has('shut') || state === 'shut')
      if (has('json')) for (const row of rows) console.log(JSON.stringify(row))
      else printTable(HEADINGS, rows.map(cellsOf))
    }),
}

function rowOf(link: LinkNow<OwnedShare>, now: number) {
  const { hash, username, path, purpose, expire, passwordHash, used } = link
  return {
    ...{ hash, owner: username, path, kind: purpose },
    state: stateOf(link, now),
    ends: expire === 0 ? null : new Date(expire * 1000).toISOString(),
    ...{ password: passwordHash !== '', opened: used.views },
    last: used.last === null ? null : new Date(used.last).toISOString(),
  }
}

function stateOf({ expire, pausedAt, shut }: LinkNow, now: number): 'ended' | 'paused' | 'shut' | 'open' {
  if (expire !== 0 && expire <= now) return 'ended'
  if (pausedAt !== null) return 'paused'
  return shut === undefined ? 'open' : 'shut'
}

const cellsOf = ({ hash, owner, path, kind, state, ends, password, opened, last }: ReturnType<typeof rowOf>) => [
  ...[hash, printable(owner), printable(path), kind, state, ends ?? 'never'],
  ...[password ? 'yes' : 'no', String(opened), last ?? 'never'],
]
