// npm run screens [-- --only NAME] [--locales] [--locale CODE] [--check] [--out FOLDER]: pictures of every screen, of a
// real server with sample files, into docs/screens. With --locales ten screens in every language, with --locale all of them
// in one (`pseudo` is the one that nobody speaks), into docs/screens/locales, which is not committed. --check looks for
// barriers and for texts without enough room, too.
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { inRepo, projectEnvironment } from './lib/repo.mjs'
import { runNode } from './lib/run.mjs'

await ensureInstalled()
const env = { ...projectEnvironment(), FILIGREE_CHROMIUM: await ensureBrowser() }
await ensureBuilt()
const { code } = await runNode([inRepo('test/e2e/screens/main.ts'), ...process.argv.slice(2)], { env })
process.exitCode = code
