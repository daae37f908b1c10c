import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { person } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { corner } from '../api/instance.ts'
import { demandAgreement } from './demand-conserved.ts'
import { COUNTABLE, canInject, injecting } from './inject.ts'
import { REPLACEMENTS, textsOf } from './replacements.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Calls that make names, and those that flush. */
const CALLS = ['link,linkat,rename,renameat,renameat2', 'fsync,fdatasync']
/** Kills per way and group of calls; whole: at every call. */
const KILLS = size('REPLACE_KILLS', 2)

// A database that servers share decides later what was interrupted, and flushes in its own process.
const isOwnDatabase = process.env.FILIGREE_TEST_DATABASE === undefined

describe.runIf(canInject && isOwnDatabase)('a server that is killed while it replaces a file', () => {
  test.each(Object.keys(REPLACEMENTS))(
    'HIST-02 through a kill at every link, rename and flush the old content and the new one are there, and nothing else: %s',
    async way => {
      let server = await startServer({ env: COUNTABLE })
      onTestFinished(() => server.stop())
      const owner = await person(server)
      let kills = 0
      for (const calls of CALLS) {
        for (let nth = 1, hit = true; hit && nth <= KILLS; nth += 1) {
          const { disk, path } = await corner(server)
          const file = `${path}/a.txt`
          await writeFile(join(disk, 'a.txt'), 'one')
          const replacement = await REPLACEMENTS[way]?.(server, owner, { disk, path })
          if (!replacement) return
          const { old, made, names } = replacement
          const before = await textsOf(server, owner, file)
          const content = () => readFile(join(disk, 'a.txt'), 'utf8')
          const act = () => replacement.act(server, owner).catch(() => undefined)
          await injecting(server.pid, { calls, what: 'signal=SIGKILL', nth }, act)
          hit = !(await fetch(`${server.url}/health`).catch(() => undefined))
          if (!hit) break
          kills += 1
          const atKill = await content()
          expect([old, made], `${calls} ${nth}`).toContain(atKill)
          await server.end('SIGKILL')
          server = await startServer({ home: server.home, root: server.root, env: COUNTABLE })
          await replacement.resume?.(server, owner)
          const now = await content()
          expect(replacement.resume ? made : atKill, `${calls} ${nth}`).toBe(now)
          await expect.poll(() => textsOf(server, owner, file)).toEqual(now === made ? [old, ...before] : before)
          // What a killed write left is swept soon after the start.
          await expect.poll(async () => (await readdir(disk)).sort()).toEqual(names(now))
          await demandAgreement(server)
        }
      }
      report(`${way}: killed at ${kills} calls`)
      expect(kills).toBeGreaterThan(0)
    },
    600_000,
  )
})
