import { spawnSync } from 'node:child_process'
import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { EXECUTABLE, makeHome, type StartOptions } from './harness.ts'

/** An unprivileged account of the system. */
export const NOBODY = 65_534

const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
const [program = '', ...options] = AS_NOBODY

/** Whether tests may start a server with that account here. */
export const canBeNobody =
  process.getuid?.() === 0 && spawnSync(program, [...options, process.execPath, EXECUTABLE, 'version']).status === 0

/** Options that start a server with that account, in a home of its own. */
export async function asNobody(): Promise<StartOptions & { home: string }> {
  const home = await makeHome()
  for (const folder of [home, join(home, 'srv')]) await chown(folder, NOBODY, NOBODY)
  return { home, env: { HOME: home }, shell: `exec ${AS_NOBODY.join(' ')} "$@"` }
}
