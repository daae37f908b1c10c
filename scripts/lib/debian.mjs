import { findProgram } from './repo.mjs'
import { run } from './run.mjs'

/** Whether packages of Debian can be installed. */
export const isDebian = () => process.getuid?.() === 0 && findProgram('apt-get') !== undefined

/** Installs packages of Debian, without those that they recommend; the lists of packages are fetched if that fails. */
export async function installPackages(...names) {
  const install = () => aptGet('install', '-y', '-q', '--no-install-recommends', ...names)
  const first = await install()
  if (first.code === 0) return first
  const { output } = await fetchLists()
  const { code, output: more } = await install()
  return { code, output: output + more }
}

export const fetchLists = () => aptGet('update', '-q')

/** The run level keeps Debian from starting services. */
const aptGet = (...args) =>
  run('apt-get', args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    quiet: true,
  })
