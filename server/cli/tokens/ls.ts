import { AppError } from '../../errors.ts'
import { foldersOf } from '../../features/tokens/token-folders.store.ts'
import { listTokens, type StoredToken } from '../../features/tokens/tokens.store.ts'
import { listUsers } from '../../features/users/users.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { demandUser } from '../users/common.ts'

const HEADINGS = ['ID', 'User', 'Label', 'Scopes', 'Folders', 'Last use', 'Expires']
const DAY = 86_400_000

export const command: Command = {
  usage: '',
  summary: 'Lists API tokens, the newest first',
  flags: [
    { flag: 'user', short: 'u', doc: 'Only those of the user with this name or id.' },
    { flag: 'unused', doc: 'Only those not used for so many days, such as 90 or 90d.' },
    { flag: 'json', boolean: true, doc: 'Print a JSON object for each token.' },
  ],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const word = given.flags.get('user')
      const owner = word === undefined ? undefined : await demandUser(db, word)
      const isWanted = unusedFor(given.flags.get('unused'))
      const names = new Map((await listUsers(db)).map(({ id, username }) => [id, username]))
      const tokens = (await listTokens(db, owner?.id)).filter(isWanted)
      const folders = Map.groupBy(await foldersOf(db, confinedOf(tokens)), ({ token }) => token)
      const rows = tokens.map(token => {
        const paths = (folders.get(token.id) ?? []).map(({ path }) => path)
        return rowOf(token, names.get(token.userId) ?? '', paths)
      })
      if (given.flags.get('json') === 'true') for (const row of rows) console.log(JSON.stringify(row))
      else printTable(HEADINGS, rows.map(cellsOf))
    }),
}

function unusedFor(text: string | undefined): (token: StoredToken) => boolean {
  if (text === undefined) return () => true
  const days = /^(\d{1,5})d?$/.exec(text)?.[1]
  if (days === undefined) throw new AppError('bad_request', `--unused: '${printable(text)}' is not a number of days.`)
  const since = Date.now() - Number(days) * DAY
  return ({ usedAt, createdAt }) => (usedAt ?? createdAt) <= since
}

const confinedOf = (tokens: readonly StoredToken[]) => tokens.flatMap(({ id, isConfined }) => (isConfined ? id : []))

const rowOf = (
  { id, label, scopes, isConfined: confined, usedAt, expiresAt }: StoredToken,
  user: string,
  folders: readonly string[],
) => ({
  ...{ id, user, label, scopes, confined, folders },
  used: timeOf(usedAt),
  expires: timeOf(expiresAt),
})

const cellsOf = ({ id, user, label, scopes, confined, folders, used, expires }: ReturnType<typeof rowOf>) => [
  id,
  printable(user),
  printable(label),
  scopes.join(','),
  confined ? folders.map(printable).join(', ') || 'none' : 'all',
  used ?? 'never',
  expires ?? 'never',
]

const timeOf = (time: number | null) => (time === null ? null : new Date(time).toISOString())
