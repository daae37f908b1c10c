// npm run bench:web [-- --runs n] [-- --only times|tests|editor]: the interface measured against its goals; see
// bench/web/run.mjs.
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo, projectEnvironment } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'

await ensureInstalled()
const env = { ...projectEnvironment(), FILIGREE_CHROMIUM: await ensureBrowser() }
await ensureBuilt()
process.exitCode = (await runNode([inRepo('bench', 'web', 'run.mjs'), ...process.argv.slice(2)], { env })).code
