// npm run bench: measurements side by side. Downloads and listings: bench/run.mjs; with P8 or P13 bench/names.mjs, with
// contents bench/contents.mjs.

import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'

await ensureInstalled()
await ensureBuilt()
const asked = process.argv.slice(2)
const SEARCHES = { P8: 'names.mjs', P13: 'names.mjs', contents: 'contents.mjs', scale: 'scale.mjs' }
const own = SEARCHES[asked[0]]
process.exitCode = (await runNode([inRepo('bench', own ?? 'run.mjs'), ...(own ? asked.slice(1) : asked)])).code
