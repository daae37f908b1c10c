import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, realpathSync } from 'node:fs'
import { AppError } from '../errors.ts'
import { sandboxArgv, type Tools } from './bubblewrap.ts'
import { bareEnvironment, type Environment } from './environment.ts'
import { findProgram } from './which.ts'

/**
 * What the programs of users and hooks run in. `missing`: a sandbox is configured, but does not work; nothing is run
 * then.
 */
export type Sandbox = { state: 'none' } | { state: 'bubblewrap'; tools: Tools } | { state: 'missing'; reason: string }

/** Timeout of the trial in milliseconds. */
const PATIENCE = 10_000

const REFUSED = 'Commands and hooks are refused: no sandbox works here.'

/** What is in force, as a sentence for the console and the log. */
export function describeSandbox(sandbox: Sandbox): string {
  switch (sandbox.state) {
    case 'bubblewrap':
      return 'Commands and hooks run in a sandbox: they see the scope of one user, no network and no other process.'
    case 'none':
      return 'Commands and hooks run without a sandbox: a user who may run one can access all that this server’s account can.'
    case 'missing':
      return `${REFUSED} Install bubblewrap, or allow them to access all that this server can: --execSandbox=none. (${sandbox.reason})`
  }
}

/**
 * Detects what programs can be run in, by running one.
 * @param kind the host's setting
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
  const reason = probe(tools, folder)
  return reason === undefined ? { state: 'bubblewrap', tools } : { state: 'missing', reason }
}

/** @returns why no sandbox works here, in the words of the failing program; nothing when one works */
function probe(tools: Tools, folder: string): string | undefined {
  let descriptor: number | undefined
  try {
    const root = realpathSync(folder)
    descriptor = openSync(root, constants.O_RDONLY | constants.O_DIRECTORY)
    const spec = { root, descriptor, writable: false, hidden: [], close() {} }
    // The programs that start and limit others exist anyway; their own messages are not the reason.
    const words = ['-c', 'exec "$0" --version', tools.prlimit]
    const [program = '', ...args] = sandboxArgv(tools, tools.sh, words, { spec, cwd: root })
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

/** @throws AppError `no_sandbox` when the configured sandbox does not work */
export function demandSandbox(sandbox: Sandbox): asserts sandbox is Exclude<Sandbox, { state: 'missing' }> {
  if (sandbox.state === 'missing') throw new AppError('no_sandbox', REFUSED)
}
