import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { bareEnvironment } from '../../sandbox/environment.ts'
import type { ProgramStream, Programs } from '../../sandbox/run-program.ts'

/** Milliseconds a hook may take. */
const PATIENCE = LIMITS.loginHookTime
/** Bytes a hook may say. */
const MAX_OUTPUT = 64 * 1024
/** Hooks that run at the same time; whoever comes on top of that is sent away. */
const MAX_RUNNING = LIMITS.loginHooks

let running = 0

/**
 * Runs the program of a login hook: split on single spaces, no shell, name and password only in its environment
 * (http-api 18), where nothing of the server's own stands.
 * @returns what it wrote to its standard output
 * @throws AppError `unavailable` when it cannot be run, fails, takes too long or says too much
 */
export async function runLoginHook(
  programs: Programs,
  command: string,
  credentials: { username: string; password: string },
): Promise<string> {
  if (running >= MAX_RUNNING) throw new AppError('unavailable', 'too many login hooks run already')
  running += 1
  try {
    return await run(programs, command.split(' '), {
      ...bareEnvironment({}),
      USERNAME: credentials.username,
      PASSWORD: credentials.password,
    })
  } finally {
    running -= 1
  }
}

async function run(programs: Programs, argv: string[], env: Record<string, string>): Promise<string> {
  const said: Buffer[] = []
  const onOutput = (stream: ProgramStream, bytes: Buffer) => {
    if (stream === 'stdout') said.push(bytes)
  }
  const ended = programs.run(argv, { env, time: PATIENCE, output: MAX_OUTPUT, onOutput })
  const { code, cut } = await ended.catch((cause: unknown) => {
    throw failed('cannot be run', cause)
  })
  if (cut === 'time') throw failed('took too long')
  if (cut === 'output') throw failed('said too much')
  if (code !== 0) throw failed(`ended with ${code ?? 'a signal'}`)
  return Buffer.concat(said).toString('utf8')
}

const failed = (reason: string, cause: unknown = new Error(reason)) =>
  new AppError('unavailable', `the login hook ${reason}`, { cause })
