import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openConsole } from '../cli/console.ts'
import { commandsIn, follow, layOut } from '../docs/follow.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

describe.runIf(hasPostgres)('the guide to several servers', () => {
  const written = commandsIn('docs/scaling.md')

  test.each(['filigree --database', 'filigree migrate-store'])('describes the real behaviour of %s', async command => {
    const { home, ok } = await openConsole()
    await ok('config', 'init', '--database', join(home, 'filigree.db'))
    const database = new URL(await (await sharedPostgres()).make())
    const { password } = database
    database.password = ''
    const commands = layOut(written.find(text => text.includes(command)) ?? '', [
      ['PGPASSWORD=…', `PGPASSWORD=${password}`],
      ['postgres://filigree@db.example/filigree', database.href],
      ['/var/lib/filigree/filigree.db', join(home, 'filigree.db')],
      ['/srv/files', join(home, 'srv')],
      ['/var/cache/filigree', join(home, 'cache')],
      ['/srv/previews', join(home, 'previews')],
    ])
    expect(await follow(home, commands)).toBe('fine')
  })
})
