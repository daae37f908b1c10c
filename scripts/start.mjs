// npm start: install when needed, build when stale, serve. Flags are passed on to the program.

import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { endWithNpm } from './lib/run.mjs'

endWithNpm()
await ensureInstalled()
await ensureBuilt()
// The program replaces this process where the system can, and keeps the flags.
process.execArgv.push('--import', new URL('./lib/end-with-npm.mjs', import.meta.url).href)
await import('../dist/bin/filigree')
