import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { TrashPage } from '../../shared/api/trash.ts'
import { call, encode, json, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { digest, reachable } from '../api/reachable.ts'
import { openConsole } from '../cli/console.ts'
import type { Ledger } from './conserved.ts'

/** What answers said until some moment. */
export type State = ReturnType<Ledger['copy']>

const trashOf = async (server: OwnServer, token: string): Promise<TrashPage['items']> => {
  const items: TrashPage['items'] = []
  for (;;) {
    const before = items.length > 0 ? `?before=${items.at(-1)?.id}` : ''
    const page: TrashPage = json(await call(server, `/api/trash${before}`, { token }))
    items.push(...page.items)
    if (!page.more) return items
  }
}

/** Requires of a server on the copy what the answers said. @returns how many contents were compared */
export async function demandConserved(server: OwnServer, state: State, sent: ReadonlySet<string>): Promise<number> {
  const { token } = await person(server)
  const there = await reachable(server, { token })
  const must = [...state].filter(([, { where, mayGo }]) => where && !mayGo)
  expect(
    must.filter(([content]) => !there.has(digest(content))).map(([content, entry]) => [named(content), entry]),
  ).toEqual([])
  expect([...there].filter(found => !sent.has(found))).toEqual([])
  const items = new Map((await trashOf(server, token)).map(({ id, path }) => [id, path]))
  for (const [content, { where, busy }] of state) {
    if (busy || !where) continue
    if (where.kind === 'trash') {
      expect(items.get(where.id), named(content)).toBe(where.path)
      const { text } = await call(server, `/api/trash/raw/${where.id}${encode(where.inner)}`, { token })
      expect(text === content, `${named(content)} is in the trash`).toBe(true)
    }
    if (where.kind === 'live') {
      const { text } = await call(server, `/api/raw${encode(where.path)}`, { token })
      expect(text === content, `${named(content)} is at ${where.path}`).toBe(true)
    }
  }
  return must.length
}

const named = (content: string) => content.slice(0, content.indexOf('\n'))

/** Requires that the records and the disk agree, and that the database is sound. */
export async function demandAgreement(server: OwnServer): Promise<void> {
  const shell = await openConsole(server.home)
  // A second name that a killed process gave a file is found after ten minutes, and removed within the next hour.
  const check = async () => {
    const { out } = await shell.run('history', 'check', '-d', server.database)
    return out.split('\n').filter(line => line !== '' && !line.startsWith('unfinished\t'))
  }
  await expect.poll(check, { interval: 500 }).toEqual([])
  const database = new DatabaseSync(server.database, { readOnly: true })
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  expect(database.prepare("select id from kept where state in ('open', 'leaving')").all()).toEqual([])
  database.close()
}
