import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { person } from '../api/client.ts'
import { type StartOptions, uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { report } from '../faults/report.ts'
import { basic } from '../integration/dav-place.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

const run = promisify(execFile)
const SUITES = { basic: 16, copymove: 13, props: 30, locks: 41, http: 4 }

const onPostgres = async (): Promise<StartOptions> => ({ database: await (await sharedPostgres()).make() })
const inBucket = async (): Promise<StartOptions> => {
  const { addressOf, env } = await sharedS3()
  return { root: addressOf(uniqueName('litmus')), env }
}

const PLACES = [
  { place: 'on PostgreSQL', isThere: hasPostgres, options: onPostgres },
  { place: 'in a bucket', isThere: hasS3, options: inBucket },
  {
    place: 'in a bucket and on PostgreSQL',
    isThere: hasS3 && hasPostgres,
    options: async () => ({ ...(await onPostgres()), ...(await inBucket()) }),
  },
]

for (const { place, isThere, options } of PLACES) {
  describe.runIf(isThere)(`litmus ${place}`, async () => {
    const server = await serve(isThere ? await options() : {})
    await person(server)
    const Authorization = basic('admin', server.adminPassword)

    test.each(Object.entries(SUITES))(
      'passes the suite %s, with %i tests',
      async (suite, count) => {
        const top = `${server.url}/dav/${suite}`
        expect((await fetch(top, { method: 'MKCOL', headers: { Authorization } })).status).toBe(201)
        const folder = await mkdtemp(join(tmpdir(), 'litmus-'))
        const env = { ...process.env, TESTS: suite }
        const { stdout } = await run('litmus', [`${top}/`, 'admin', server.adminPassword], { cwd: folder, env }).catch(
          (failed: { stdout: string }) => failed,
        )
        await rm(folder, { recursive: true })
        report(`litmus ${place}: ${/<- summary .*/.exec(stdout)?.[0] ?? stdout}`)
        expect(stdout).not.toMatch(/FAIL|SKIPPED|WARNING/)
        expect(stdout).toContain(`of ${count} tests run: ${count} passed, 0 failed`)
      },
      300_000,
    )
  })
}
