import { spawn } from 'node:child_process'
import { AppError } from '../../errors.ts'

/** Milliseconds a hook may take. */
const PATIENCE = 10_000
/** Bytes a hook may say. */
const MAX_OUTPUT = 64 * 1024
/** Hooks that run at the same time; whoever comes on top of that is sent away. */
const MAX_RUNNING = 8
/** Where programs are looked for; the server's own environment is not handed on. */
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

let running = 0

/**
 * Runs the program of a login hook: split on single spaces, no shell, name and password only in its environment
 * (contract 18).
 * @returns what it wrote to its standard output
 * @throws AppError `unavailable` when it cannot be run, fails, takes too long or says too much
 */
export async function runLoginHook(
  command: string,
  credentials: { username: string; password: string },
): Promise<string> {
  if (running >= MAX_RUNNING) throw new AppError('unavailable', 'too many login hooks run already')
  running += 1
  try {
    return await run(command.split(' '), {
      PATH,
      USERNAME: credentials.username,
      PASSWORD: credentials.password,
    })
  } finally {
    running -= 1
  }
}

function run([program = '', ...args]: string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) =>
      reject(new AppError('unavailable', `the login hook ${reason}`, { cause: cause ?? new Error(reason) }))
    // A process group of its own, so that what the program started ends with it.
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
    const kill = () => endGroup(child.pid)
    const late = setTimeout(() => {
      kill()
      fail('took too long')
    }, PATIENCE)
    const chunks: Buffer[] = []
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > MAX_OUTPUT) {
        kill()
        fail('said too much')
      }
    })
    child.once('error', error => fail('cannot be run', error))
    child.once('close', code => {
      clearTimeout(late)
      if (code === 0 && length <= MAX_OUTPUT) resolve(Buffer.concat(chunks).toString('utf8'))
      else fail(`ended with ${code ?? 'a signal'}`)
    })
  })
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself meanwhile.
  }
}
