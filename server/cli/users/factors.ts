import { countPasskeys, listTotp } from '../../features/factors/factors.store.ts'
import { listUsers } from '../../features/users/users.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'

export const command: Command = {
  usage: '',
  summary: 'Lists users and their second factors',
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const since = new Map((await listTotp(db)).map(({ user_id, confirmed_at }) => [user_id, confirmed_at]))
      const passkeys = new Map((await countPasskeys(db)).map(({ user_id, count }) => [user_id, count]))
      const rows = (await listUsers(db)).map(({ id, username }) => [
        String(id),
        printable(username),
        timeText(since.get(id)),
        String(passkeys.get(id) ?? 'none'),
      ])
      printTable(['ID', 'Username', 'Authenticator app since', 'Passkeys'], rows)
    }),
}

const timeText = (time: number | undefined) => (time === undefined ? 'none' : new Date(time).toISOString())
