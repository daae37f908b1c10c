import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { PROJECT_NODE, projectEnvironment, ROOT, systemEnvironment } from './repo.mjs'

/**
 * Runs a program in the clone's root and waits for it. `quiet` collects its output instead of showing it; `signal` ends
 * it.
 * @returns {Promise<{ code: number, output: string }>} code 1 when it was ended by a signal, 127 when it is missing
 */
export function run(command, args, { env = projectEnvironment(), quiet = false, signal } = {}) {
  return new Promise(resolve => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit'
    const child = spawn(command, args, { cwd: ROOT, env, stdio, signal })
    const stop = forwardSignals(child)
    const chunks = []
    child.stdout?.on('data', chunk => chunks.push(chunk))
    child.stderr?.on('data', chunk => chunks.push(chunk))
    child.on('error', error => finish(127, `${command}: ${error.message}\n`))
    child.on('close', code => finish(code ?? 1, ''))
    function finish(code, more) {
      stop()
      resolve({ code, output: Buffer.concat(chunks).toString() + more })
    }
  })
}

/** Runs a script with the project's own Node; options and result as in `run`. */
export const runNode = (args, options) => run(PROJECT_NODE, args, options)

/** Runs a program of the system quietly, and ends with its output when it fails. */
export async function demand(program, args) {
  const { code, output } = await run(program, args, { env: systemEnvironment(), quiet: true })
  if (code !== 0) fail(output.trimEnd(), '', `${program} failed; its own output is above.`)
}

/** Forwards signals to a child. A terminal sends Ctrl+C to both, so there it is not sent twice. */
export function forwardSignals(child) {
  const forward = signal => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, forward)
  return () => {
    for (const signal of signals) process.off(signal, forward)
  }
}

/**
 * Ends this process gracefully when npm is gone. A signal to npm reaches only the shell between the two, and the server
 * would keep running alone, holding its port. The shell outlives an npm that is killed.
 */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return
  const parents = () => [process.ppid, isShell(process.ppid) && parentOf(process.ppid)].join()
  const first = parents()
  const timer = setInterval(() => {
    if (parents() === first) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}

/** Undefined on systems that do not report it. */
function parentOf(pid) {
  return readOf(pid, 'stat').split(') ').at(-1)?.split(' ')[1]
}

const isShell = pid => /^(ba|da|z|k)?sh\n$/.test(readOf(pid, 'comm'))

function readOf(pid, what) {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8')
  } catch {
    return ''
  }
}

/** A progress line; errors and progress share stderr, so that output can be piped. */
export const say = text => process.stderr.write(`${text}\n`)

/** Exits with an error message. */
export function fail(...lines) {
  say(lines.join('\n'))
  process.exit(1)
}
