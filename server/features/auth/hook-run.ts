import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { bareEnvironment } from '../../sandbox/environment.ts'
import type { ProgramRunner, ProgramStream } from '../../sandbox/run-program.ts'

/** The timeout of a hook, in milliseconds. */
const PATIENCE = LIMITS.loginHookTime
/** The most bytes a hook may write. */
const MAX_OUTPUT = 64 * 1024
/** Concurrent hooks; further sign-ins are refused. */
const MAX_RUNNING = LIMITS.loginHooks

let running = 0

/**
 * Runs the program of a login hook: split on single spaces, no shell, name and password only in its environment
 * (http-api 18), without the server's own settings.
 * @returns its standard output
 * @throws AppError `unavailable` when it cannot be started, fails, takes too long or writes too much
 */
export async function runLoginHook(
  programs: ProgramRunner,
  command: string,
  credentials: { username: string; password: string },
): Promise<string> {
  if (running >= MAX_RUNNING) throw new AppError('unavailable', 'too many login hooks are running')
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

async function run(programs: ProgramRunner, argv: string[], env: Record<string, string>): Promise<string> {
  const said: Buffer[] = []
  const onOutput = (stream: ProgramStream, bytes: Buffer) => {
    if (stream === 'stdout') said.push(bytes)
  }
  const ended = programs.run(argv, { env, time: PATIENCE, output: MAX_OUTPUT, onOutput })
  const { code, cut } = await ended.catch((cause: unknown) => {
    throw failed('cannot be started', cause)
  })
  if (cut === 'time') throw failed('took too long')
  if (cut === 'output') throw failed('wrote too much output')
  if (code !== 0) throw failed(`exited with ${code ?? 'a signal'}`)
  return Buffer.concat(said).toString('utf8')
}

const failed = (reason: string, cause: unknown = new Error(reason)) =>
  new AppError('unavailable', `the login hook ${reason}`, { cause })
