// npm run bench: comparative benchmarks, bench/run.mjs; with access, contents, journal, scale or together those of that name.

import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'

await ensureInstalled()
await ensureBuilt()
const asked = process.argv.slice(2)
const NAMES = ['access', 'contents', 'journal', 'scale', 'together']
const OWN = Object.fromEntries(NAMES.map(name => [name, `${name}.mjs`]))
const own = OWN[asked[0]]
process.exitCode = (await runNode([inRepo('bench', own ?? 'run.mjs'), ...(own ? asked.slice(1) : asked)])).code
