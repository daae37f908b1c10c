// npm run test:wire [-- --server URL --root DIR --user U --password P] [-- --trash choice]: the black-box tests of the wire
// alone. With --server they run, one after the other, against that server, whose root folder they fill and change; else
// against servers of our own, and the coverage table is regenerated, unless --trash sets another trash than usual.
import { parseArgs } from 'node:util'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, runNode, say } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'
import { ensureTestPrograms } from './lib/test-programs.mjs'

const text = { type: 'string' }
const { values, positionals } = parseArgs({
  options: { server: text, root: text, user: text, password: text, trash: text },
  allowPositionals: true,
})
if (values.server && !(values.root && values.password)) {
  say('--server needs --root (the folder it serves, on this machine) and --password, and takes --user.')
  process.exit(2)
}
endWithNpm()
await ensureInstalled()
await ensureTestPrograms()
if (!values.server) await ensureBuilt()
const foreign = {
  FILIGREE_WIRE_URL: values.server,
  FILIGREE_WIRE_ROOT: values.root,
  FILIGREE_WIRE_USER: values.user ?? 'admin',
  FILIGREE_WIRE_PASSWORD: values.password,
}
const whole = positionals.length === 0
const counts = whole && values.trash === undefined
const env = {
  ...projectEnvironment(),
  FILIGREE_EXECUTABLE: EXECUTABLE,
  ...(values.trash !== undefined && { FILIGREE_TEST_TRASH: values.trash }),
  ...(values.server ? foreign : counts && { FILIGREE_WIRE_TABLE: 'test/api/COVERAGE.md' }),
}
const files = whole ? ['test/api'] : positionals
const reporters = ['--reporter=default', ...(counts ? ['--reporter=./test/api/coverage/reporter.ts'] : [])]
const order = values.server ? ['--no-file-parallelism'] : []
const { code } = await runNode([tool.vitest, 'run', '--project', 'server', ...order, ...reporters, ...files], { env })
process.exitCode = code
