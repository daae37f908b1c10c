import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, realpathSync } from 'node:fs'
import { AppError } from '../errors.ts'
import { boxed, type Tools } from './bubblewrap.ts'
import { bareEnvironment, type Environment } from './environment.ts'
import { findProgram } from './which.ts'

/** In what the programs of users and hooks run. `missing`: it was asked for one, and none works; nothing is run then. */
export type Sandbox = { state: 'none' } | { state: 'bubblewrap'; tools: Tools } | { state: 'missing'; reason: string }

/** Milliseconds that a trial may take. */
const PATIENCE = 10_000

const REFUSED = 'Commands and hooks are refused: no sandbox works here.'

/** What is in force, as a sentence for the console and the log. */
export function describeSandbox(sandbox: Sandbox): string {
  switch (sandbox.state) {
    case 'bubblewrap':
      return 'Commands and hooks run in a sandbox: they see the scope of one user, no network and no other process.'
    case 'none':
      return 'Commands and hooks run without a sandbox: whoever may run one reaches all that the account of this server does.'
    case 'missing':
      return `${REFUSED} Install bubblewrap, or allow them to reach all that this server does: --execSandbox=none. (${sandbox.reason})`
  }
}

/**
 * Finds out what programs can be run in, by running one.
 * @param kind what the host asks for
 * @param folder any folder that exists
 */
export function findSandbox(kind: 'bubblewrap' | 'none', environment: Environment, folder: string): Sandbox {
  if (kind === 'none') return { state: 'none' }
  const { PATH = '' } = bareEnvironment(environment)
  const bwrap = findProgram('bwrap', PATH)
  if (!bwrap) return { state: 'missing', reason: 'bwrap (bubblewrap) is not installed' }
  const prlimit = findProgram('prlimit', PATH)
  if (!prlimit) return { state: 'missing', reason: 'prlimit (util-linux) is not installed' }
  const sh = findProgram('sh', PATH)
  if (!sh) return { state: 'missing', reason: 'sh is not installed' }
  const tools = { bwrap, prlimit, sh }
  const reason = tryOut(tools, folder)
  return reason === undefined ? { state: 'bubblewrap', tools } : { state: 'missing', reason }
}

/** @returns why nothing can be run in a sandbox here, in the words of those who cannot; nothing when it can */
function tryOut(tools: Tools, folder: string): string | undefined {
  let descriptor: number | undefined
  try {
    const root = realpathSync(folder)
    descriptor = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY)
    const enclosure = { root, descriptor, writable: false, hidden: [], close() {} }
    // What begins and limits programs is there anyway, and says something of itself.
    const words = ['-c', 'exec "$0" --version', tools.prlimit]
    const [program = '', ...args] = boxed(tools, tools.sh, words, { enclosure, cwd: root })
    const { status, stderr, error } = spawnSync(program, args, {
      env: {},
      timeout: PATIENCE,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe', descriptor],
    })
    if (status === 0) return undefined
    return stderr.split('\n')[0] || error?.message || `it ended with ${status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** @throws AppError `no_sandbox` when nothing can be run as the host wants it */
export function demandSandbox(sandbox: Sandbox): asserts sandbox is Exclude<Sandbox, { state: 'missing' }> {
  if (sandbox.state === 'missing') throw new AppError('no_sandbox', REFUSED)
}
