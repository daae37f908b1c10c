// npm run demo [-- --port PORT] [--address ADDRESS] [--reset MINUTES]: Filigree with made-up files, users and links in a
// temporary folder, which is deleted at the end. Every start, and every reset, makes them again.
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo, projectEnvironment } from './lib/repo.mjs'
import { endWithNpm, runNode } from './lib/run.mjs'

endWithNpm()
await ensureInstalled()
await ensureBuilt()
const env = { ...projectEnvironment(), FILIGREE_EXECUTABLE: inRepo('dist', 'bin', 'filigree') }
const { code } = await runNode([inRepo('test/demo/main.ts'), ...process.argv.slice(2)], { env })
process.exitCode = code
