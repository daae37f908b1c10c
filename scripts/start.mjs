// npm start: install when needed, build when stale, serve. Flags are passed on to bin/filigree.
import { ensureInstalled } from './lib/install.mjs'
import { endWithNpm } from './lib/run.mjs'
import { ensureBuilt } from './lib/web-build.mjs'

endWithNpm()
await ensureInstalled()
await ensureBuilt()
await import('../bin/filigree')
