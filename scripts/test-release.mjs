// npm run test:release: makes a release, and installs and starts it in both ways of docs/install.md. npm downloads the
// packages with native code.

import { projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode } from './lib/run.mjs'

endWithNpm()
await import('./release.mjs')
const env = { ...projectEnvironment(), FILIGREE_SLOW: 'test/docs' }
const { code } = await runNode([tool.vitest, 'run', '--project', 'server', 'test/docs'], { env })
process.exitCode = code
