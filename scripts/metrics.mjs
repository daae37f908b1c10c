// npm run metrics [-- --json]: code metrics: lengths, cycles, interfaces, comments, lines. A Markdown table. What each
// row counts: scripts/lib/metrics.mjs.
import { ensureInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'

await ensureInstalled()
process.exitCode = (await runNode([inRepo('scripts', 'lib', 'metrics.mjs'), ...process.argv.slice(2)])).code
