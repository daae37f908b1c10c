import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'

/** Whether faults can be injected into system calls here: `strace` is installed and may trace other processes. */
export const canInject =
  process.platform === 'linux' && spawnSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0

/**
 * Settings of a server whose calls are counted: one thread that works on files, and neither the database nor the
 * sockets in it.
 */
export const COUNTABLE = { UV_THREADPOOL_SIZE: '1' }

/** A fault in the calls of some names: an error, or the end of the process. */
export interface Fault {
  calls: string
  what: string
  /** Which of these calls fails, counted from 1; with a plus also all later ones. */
  nth: number | '1+'
  /** In the main thread instead. */
  main?: boolean
}

/** Runs `act` with a fault injected into the thread that works on files. @returns whether it was hit, and the result */
export async function injecting<T>(
  pid: number,
  fault: Fault,
  act: () => Promise<T>,
): Promise<{ hit: boolean; result: T }> {
  const inject = `inject=${fault.calls}:${fault.what}:when=${fault.nth}`
  const target = fault.main ? ['-p', String(pid)] : ['-p', await fileThread(pid)]
  const { text, result } = await tracing([...target, '-e', `trace=${fault.calls}`, '-e', inject], act)
  return { hit: /\(INJECTED\)|killed by/.test(text), result }
}

/**
 * Runs `act` while the calls of some names are traced in every thread.
 * @param how `paths`: with the path of each descriptor, as `7</path>`
 * @returns them as lines, in their order
 */
export async function watching<T>(
  pid: number,
  calls: string,
  act: () => Promise<T>,
  { paths = false } = {},
): Promise<{ lines: string[]; result: T }> {
  const named = paths ? ['-y'] : []
  const { text, result } = await tracing(['-f', ...named, '-s', '16', '-p', String(pid), '-e', `trace=${calls}`], act)
  return { lines: text.split('\n'), result }
}

async function tracing<T>(args: readonly string[], act: () => Promise<T>): Promise<{ text: string; result: T }> {
  const tracer = spawn('strace', args)
  const seen = collect(tracer)
  await seen.until('attached')
  const result = await act()
  tracer.kill('SIGTERM')
  await seen.end
  return { text: seen.text(), result }
}

/** The thread of the runtime's pool, identified by its name. */
async function fileThread(pid: number): Promise<string> {
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    if ((await readFile(`/proc/${pid}/task/${thread}/comm`, 'utf8')).startsWith('libuv-worker')) return thread
  }
  throw new Error('The server has no thread that works on files.')
}

function collect(child: ChildProcess) {
  let text = ''
  const waiting: Array<() => void> = []
  child.stderr?.on('data', chunk => {
    text += String(chunk)
    for (const check of waiting) check()
  })
  const end = new Promise<void>(resolve => child.once('close', () => resolve()))
  const until = (word: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.push(() => text.includes(word) && resolve())
      void end.then(() => reject(new Error(`strace ended: ${text}`)))
    })
  return { text: () => text, until, end }
}
