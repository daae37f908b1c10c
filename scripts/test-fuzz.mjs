// npm run test:fuzz -- [--minutes 10] [--seed N]: random requests to a server and random inputs to every parser. The
// seed is printed at the end: the same seed repeats the same inputs.
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { ensureBuilt } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { PROJECT_NODE, projectEnvironment, tool } from './lib/repo.mjs'
import { endWithNpm, run, say } from './lib/run.mjs'
import { EXECUTABLE } from './lib/server-build.mjs'

/** Share of the time for the requests; the parsers get the rest. */
const FOR_REQUESTS = 0.8

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' }, seed: { type: 'string' } } })
endWithNpm()
await ensureInstalled()
await ensureBuilt()
const seconds = Number(values.minutes) * 60
const seed = values.seed ?? String(randomInt(2 ** 31))
const sizes = {
  FILIGREE_FUZZ_SEED: seed,
  FILIGREE_FUZZ_SECONDS: String(seconds * FOR_REQUESTS),
  FILIGREE_FUZZ_PARSER_SECONDS: String(seconds * (1 - FOR_REQUESTS)),
}
const env = { ...sizes, ...projectEnvironment(), FILIGREE_EXECUTABLE: EXECUTABLE }
const args = [tool.vitest, 'run', '--project', 'server', '--no-file-parallelism', 'test/fuzz']
const { code } = await run(PROJECT_NODE, args, { env })
say(`Seed ${seed}: npm run test:fuzz -- --minutes ${values.minutes} --seed ${seed}`)
process.exitCode = code
