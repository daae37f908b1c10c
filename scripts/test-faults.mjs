// npm run test:faults [-- --big] [--kernel=off] [files…]: the tests of test/faults in full, one after the other, and
// uploads in the browser over a network that fails for minutes.
// With --kernel=off the servers call the kernel through the runtime only.
// With --big also 10 000 small files, in the browser too, one of 5 GiB, and archives of 4 GiB and of a million entries,
// which takes some 20 GB of disk and minutes.
// The last lines repeat all figures, what this machine cannot run, and the result.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBrowser } from './lib/browser.mjs'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { PROJECT_NODE, projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, run, say } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'
import { ensureTestPrograms, untried } from './lib/test-programs.mjs'

/** How much of each is run; see `size` in test/faults/sizes.ts. */
const WHOLE = {
  KILLS: 200,
  RENAME_KILLS: 60,
  STOPS: 240,
  MOVES: 20,
  INJECTIONS: 0,
  SLOW: 330,
  READING: 500,
  AWAY: 330,
  STALL: 1,
  ABORTS: 100,
  SIGN_INS: 3600,
  MIXED_LOAD: 3600,
  TIMED_GUESSES: 200,
  ROUNDS: 200,
  CUTS: 100,
  HISTORY_CUTS: 100,
  CONSERVED_KILLS: 100,
  HUNG: 1,
  HELD_UP: 200,
  COMMANDS: 100,
  TRASH_KILLS: 40,
  TRASH_FAILURES: 40,
  TRASH_ERRORS: 7,
  TRASH_FILES: 1_000_000,
  TRASH_SWAPS: 10_000,
  REPLACE_KILLS: 40,
  UNDO_STEPS: 10_000,
  DAV_KILLS: 200,
  WEBHOOK_KILLS: 200,
  QUOTA_KILLS: 60,
  SWAP_KILLS: 40,
}
const BIG = {
  FILES: 10_000,
  MIB: 5120,
  ENTRIES: 70_000,
  ARCHIVED_MIB: 4200,
  TINY: 1_000_000,
  TREE: 100_000,
  FLAT: 1_000_000,
  WIDE: 1_000_000,
}

const { values, positionals } = parseArgs({
  options: { big: { type: 'boolean' }, kernel: { type: 'string' } },
  allowPositionals: true,
})
endWithNpm()
await ensureInstalled()
await ensureTestPrograms()
await ensureBuilt()
const sizes = Object.entries({ ...WHOLE, ...(values.big ? BIG : {}) })
const named = sizes.map(([name, size]) => [`FILIGREE_FAULTS_${name}`, String(size)])
const home = mkdtempSync(join(tmpdir(), 'faults-'))
const figures = join(home, 'figures')
const own = { FILIGREE_EXECUTABLE: EXECUTABLE, FILIGREE_FAULTS_FIGURES: figures, FILIGREE_SLOW: 'test/faults' }
const kernel = values.kernel === undefined ? {} : { FILIGREE_TEST_KERNEL: values.kernel }
const env = { ...Object.fromEntries(named), ...projectEnvironment(), ...own, ...kernel }
const files = positionals.length > 0 ? positionals : ['test/faults']
const command = [PROJECT_NODE, tool.vitest, 'run', '--project', 'server', '--no-file-parallelism', ...files]
const isRoot = process.getuid?.() === 0
const asRoot = !isRoot && (await run('unshare', ['-rm', 'true'], { quiet: true })).code === 0
const [program, ...args] = asRoot ? ['unshare', '-rm', ...command] : command
const codes = [(await run(program, args, { env })).code]
if (positionals.length === 0)
  codes.push(await uploadInBrowser(values.big ? ['upload-offline', 'many-uploads'] : ['upload-offline']))
if (existsSync(figures)) say(`\nFigures:\n${readFileSync(figures, 'utf8').trimEnd()}\n`)
rmSync(home, { recursive: true })
for (const line of untried(isRoot || asRoot)) say(line)
process.exitCode = Math.max(...codes)
say(process.exitCode === 0 ? 'All tests passed.' : 'Some tests failed; see above.')

/** @param names of files in test/e2e, without their extension. @returns the exit code */
async function uploadInBrowser(names) {
  const browser = { ...env, FILIGREE_CHROMIUM: await ensureBrowser() }
  const files = names.map(name => `test/e2e/${name}.test.ts`)
  const test = ['test', ...files, '--project', 'root', '--reporter', 'list']
  return (await run(PROJECT_NODE, [tool.playwright, ...test], { env: browser })).code
}
