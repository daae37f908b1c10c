// npm run test:scale [-- --big] [files…]: PostgreSQL and several servers on it: kills, restarts, a database that is
// unavailable for a minute; an object store that speaks S3, and files in it; both slow, silent, full and refusing; then
// the tests of the wire and of security and all those in a browser once more, each server on a database of PostgreSQL;
// then the same with the files in a bucket, and the kills there. With --big a file of 6 GiB is copied and moved within
// the store, which then keeps its data in a file: some 30 GB of disk for a while.
// FILIGREE_FAULTS_KILLS and FILIGREE_FAULTS_AWAY (seconds) set the amount. The last lines list what this machine cannot
// run, and what a bucket does not support.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureCeph, untriedBuckets } from './lib/ceph.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { BUCKET_JOURNEYS } from './lib/journeys.mjs'
import { countedLeftOut } from './lib/left-out.mjs'
import { PROJECT_NODE, projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode, say } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'
import { ensureTestPrograms, hasPostgres, untried } from './lib/test-programs.mjs'

const { values, positionals: files } = parseArgs({ options: { big: { type: 'boolean' } }, allowPositionals: true })
endWithNpm()
await ensureInstalled()
await ensureTestPrograms()
if (process.env.FILIGREE_TEST_S3 === undefined) await ensureCeph()
await ensureBuilt()
const scratch = mkdtempSync(join(tmpdir(), 'filigree-scale-'))
const leftOut = join(scratch, 'left-out')
const env = {
  ...projectEnvironment(),
  FILIGREE_EXECUTABLE: EXECUTABLE,
  FILIGREE_SLOW: 'test/scale',
  FILIGREE_TEST_LEFT_OUT: leftOut,
}
const much = values.big ? { FILIGREE_FAULTS_COPIED_GIB: '6' } : {}
const vitest = [tool.vitest, 'run', '--project', 'server']
const journeys = [tool.playwright, 'test', '--reporter=list', '--project=root']
const steps = [[...vitest, '--no-file-parallelism', ...(files.length > 0 ? files : ['test/scale'])]]
const onPostgres = ['test/scale/with-postgres.ts', PROJECT_NODE]
const inBucket = ['test/scale/with-bucket.ts', PROJECT_NODE]
const onBoth = [...onPostgres, ...inBucket]
const hasBucket = hasPostgres() && untriedBuckets().length === 0
if (files.length === 0 && hasPostgres()) {
  env.FILIGREE_CHROMIUM = await ensureBrowser()
  steps.push([...onPostgres, ...vitest, 'test/api', 'test/security'], [...onPostgres, ...journeys])
}
if (files.length === 0 && hasBucket) {
  // The tests themselves stop its database.
  steps.push([...inBucket, ...vitest, 'test/scale/instances.slow.ts'])
  steps.push([...onBoth, ...vitest, 'test/api', 'test/security'], [...onBoth, ...journeys, ...BUCKET_JOURNEYS])
}
for (const [at, step] of steps.entries()) {
  const { code } = await runNode(step, { env: at === 0 ? { ...env, ...much } : env })
  if (code !== 0) process.exitCode = code
}
const unasked = values.big ? [] : ['skipped: a file of 6 GiB in a bucket, which requires --big']
for (const line of [...untried(), ...untriedBuckets(), ...unasked, ...countedLeftOut(leftOut)]) say(line)
rmSync(scratch, { recursive: true })
