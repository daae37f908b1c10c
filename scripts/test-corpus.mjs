// npm run test:corpus: every file of the corpus in a browser, its corrupt and mislabelled twins too. `npm test` opens
// one of each kind.
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'

endWithNpm()
await ensureInstalled()
const browser = await ensureBrowser()
await ensureBuilt()
const env = {
  ...projectEnvironment(),
  FILIGREE_EXECUTABLE: EXECUTABLE,
  FILIGREE_CHROMIUM: browser,
  FILIGREE_CORPUS: 'whole',
}
const { code } = await runNode([tool.playwright, 'test', '--reporter=list', 'test/e2e/corpus.test.ts'], { env })
process.exitCode = code
