// npm run screens [-- --only NAME] [--locales] [--locale CODE] [--check] [--out FOLDER]: screenshots of every screen, of a
// real server with sample files. Those that test/e2e/screens/kept.ts lists go to docs/screens, the others to docs/screens/all,
// which git ignores. --locales takes ten screens in every language, --locale CODE every screen in one (`pseudo` is the
// pseudo-locale), into docs/screens/locales, which git ignores, too. --check also runs axe and looks for clipped texts.
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
