// npm run test:scale [-- files…]: PostgreSQL and several servers on it: kills, restarts, a database that is away for a
// minute; a store that speaks S3, and files in it; then the tests of the wire and of trust and the journeys in a browser once more, each server on a database of
// PostgreSQL.
// FILIGREE_FAULTS_KILLS and FILIGREE_FAULTS_AWAY (seconds) say how much of it. What this machine cannot do is said in the
// last lines.
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureCeph, untriedBuckets } from './lib/ceph.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { JOURNEYS } from './lib/journeys.mjs'
import { PROJECT_NODE, projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode, say } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'
import { ensureTestPrograms, hasPostgres, untried } from './lib/test-programs.mjs'

const files = process.argv.slice(2)
endWithNpm()
await ensureInstalled()
await ensureTestPrograms()
if (process.env.FILIGREE_TEST_S3 === undefined) await ensureCeph()
await ensureBuilt()
const env = { ...projectEnvironment(), FILIGREE_EXECUTABLE: EXECUTABLE, FILIGREE_WHOLE: 'test/scale' }
const vitest = [tool.vitest, 'run', '--project', 'server']
const steps = [[...vitest, '--no-file-parallelism', ...(files.length > 0 ? files : ['test/scale'])]]
const onPostgres = ['test/scale/with-postgres.ts', PROJECT_NODE]
if (files.length === 0 && hasPostgres()) {
  env.FILIGREE_CHROMIUM = await ensureBrowser()
  steps.push([...onPostgres, ...vitest, 'test/wire', 'test/trust'])
  steps.push([...onPostgres, tool.playwright, 'test', '--reporter=list', '--project=root', ...JOURNEYS])
}
for (const step of steps) {
  const { code } = await runNode(step, { env })
  if (code !== 0) process.exitCode = code
}
for (const line of [...untried(), ...untriedBuckets()]) say(line)
