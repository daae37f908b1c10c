// npm start: install when needed, build when stale, serve. Flags are passed on to the program.

import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { endWithNpm } from './lib/run.mjs'

endWithNpm()
await ensureInstalled()
await ensureBuilt()
await import('../dist/bin/filigree')
