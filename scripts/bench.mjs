// npm run bench: measurements side by side; see bench/run.mjs.

import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'

await ensureInstalled()
await ensureBuilt()
process.exitCode = (await runNode([inRepo('bench', 'run.mjs')])).code
