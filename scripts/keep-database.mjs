// npm run database:keep [-- NAME]: writes a database of this version into test/upgrade/databases. Before the tag of a release; the
// tests of later versions upgrade it.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo, projectEnvironment } from './lib/repo.mjs'
import { endWithNpm, runNode } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'

endWithNpm()
await ensureInstalled()
await ensureBuilt()
const env = { ...projectEnvironment(), FILIGREE_EXECUTABLE: EXECUTABLE }
const { code } = await runNode([inRepo('test/upgrade/keep.ts'), ...process.argv.slice(2)], { env })
process.exitCode = code
