import type { Settings } from '../../../shared/api/settings.ts'
import { AppError } from '../../errors.ts'
import type { Hooks, OperationFacts, OperationName } from '../../files/hooks.ts'
import { Semaphore } from '../../lib/limit.ts'
import { LIMITS } from '../../limits.ts'
import { bareEnvironment, type Environment, expandVariables, hostEnvironment } from '../../sandbox/environment.ts'
import type { ProgramEnd, ProgramRunner } from '../../sandbox/run-program.ts'
import { demandSandbox } from '../../sandbox/sandbox.ts'
import { splitWords } from '../../sandbox/shell-split.ts'

/** The time limit of a program that a request waits for, in milliseconds. */
const PATIENCE = LIMITS.hookTime
/** The time limit of a background program, in milliseconds. */
const BACKGROUND_TIME = 60 * 60_000
/** Concurrent programs that requests wait for; further ones are queued. */
const MAX_RUNNING = LIMITS.hooksAtOnce
/** Concurrent background programs; further ones are not started. */
const MAX_BACKGROUND = 32
/** The output limit of a program, in bytes. */
const MAX_OUTPUT = 16 * 1024 * 1024
/** Bytes of its output that are logged. */
const LOGGED_OUTPUT = 4096

export interface HooksDeps {
  programs: ProgramRunner
  environment: Environment
  settings(): Promise<Pick<Settings, 'commands' | 'shell'>>
  log: HookLog
}

/** Receives the result of each hooked program. */
export interface HookLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
}

/** One command line for one event. */
interface Line {
  line: string
  shell: readonly string[]
  trigger: string
  facts: OperationFacts
}

/** Runs the command lines of the settings around file operations (http-api 17). */
export function commandHooks({ programs, environment, settings, log }: HooksDeps): Hooks {
  // In a sandbox a program sees as little of the host as a user's does.
  const host = programs.sandbox.state === 'bubblewrap' ? bareEnvironment(environment) : hostEnvironment(environment)
  const runner = { programs, log, host, semaphore: new Semaphore(MAX_RUNNING), background: 0 }
  return {
    async around(name, factsOf, act, check) {
      const { commands, shell } = await settings()
      const [before, after] = [commands[`before_${name}`], commands[`after_${name}`]]
      if (before.length + after.length === 0) return act()
      // Also for commands after the operation: a missing sandbox must not be found once the operation is done.
      demandSandbox(programs.sandbox)
      const facts = factsOf()
      const runAll = async (when: 'before' | 'after', lines: readonly string[]) => {
        for (const line of lines) await runLine(runner, { line, shell, facts, trigger: triggerOf(when, name) })
      }
      if (before.length > 0) await check?.()
      await runAll('before', before).catch(refuseWith('hook_refused'))
      const done = await act()
      await runAll('after', after).catch(refuseWith('hook_failed'))
      return done
    },
  }
}

const triggerOf = (when: 'before' | 'after', name: OperationName) => `${when}_${name}`

/** The log names the program; the client learns only that it failed, and whether the operation was done. */
const refuseWith = (code: 'hook_refused' | 'hook_failed') => (cause: unknown) => {
  throw new AppError(code, code, { cause })
}

interface Runner {
  programs: ProgramRunner
  log: HookLog
  host: Environment
  semaphore: Semaphore
  /** Background programs running now. */
  background: number
}

/** @throws AppError when the program cannot be started or, unless it runs in the background, fails */
async function runLine(runner: Runner, line: Line): Promise<void> {
  const text = line.line.trim()
  if (text.endsWith('&')) return startBehind(runner, { ...line, line: text.slice(0, -1).trim() })
  const { code, cut } = await runner.semaphore.run(async () => (await start(runner, line, PATIENCE)).ended)
  if (code !== 0 || cut) throw new AppError('unavailable', `it exited with ${cut ?? code ?? 'a signal'}`)
}

async function startBehind(runner: Runner, line: Line): Promise<void> {
  if (runner.background >= MAX_BACKGROUND) throw new AppError('unavailable', 'too many background programs are running')
  runner.background += 1
  const leave = () => {
    runner.background -= 1
  }
  const { ended } = await start(runner, line, BACKGROUND_TIME).catch((thrown: unknown) => {
    leave()
    throw thrown
  })
  void ended.then(leave, leave)
}

/** Starts the program of a line; its result is logged. */
async function start(
  { programs, host, log }: Runner,
  line: Line,
  time: number,
): Promise<{ ended: Promise<ProgramEnd> }> {
  const { file, destination, scope, username, sandboxSpec } = line.facts
  const variablesSet = { FILE: file, DESTINATION: destination, SCOPE: scope, USERNAME: username, TRIGGER: line.trigger }
  const about = { trigger: line.trigger, line: line.line, user: username, file }
  const began = Date.now()
  let output = ''
  const env = { ...host, ...variablesSet }
  const onOutput = (_stream: unknown, bytes: Buffer) => {
    if (output.length < LOGGED_OUTPUT) output += bytes.toString('utf8', 0, LOGGED_OUTPUT - output.length)
  }
  try {
    const request = { env, time, output: MAX_OUTPUT, onOutput, sandboxSpec }
    const { ended } = await programs.start(argvOf(line, env), request)
    const logged = ended.then(end => {
      const fields = { ...about, ...end, milliseconds: Date.now() - began, output }
      if (end.code === 0) log.info(fields, 'hook ran')
      else log.warn(fields, 'hook failed')
      return end
    })
    return { ended: logged }
  } catch (thrown) {
    log.warn({ ...about, err: thrown }, 'hook cannot be started')
    throw thrown
  }
}

/**
 * A line as program and arguments. A shell gets its text unchanged, be it that of the settings or one with `-c` in the
 * line, and finds the values in its environment: in the text, a file name could become a command.
 */
function argvOf({ line, shell }: Line, variables: Environment): string[] {
  if (shell.length > 0) return [...shell, line]
  const words = splitWords(line)
  return words.map((word, index) =>
    index === 0 || isShellText(words, index) ? word : expandVariables(word, variables),
  )
}

const SHELL = /(?:^|\/)(?:a|ba|da|fi|k|mk|z)?sh$/
const TEXT_FOLLOWS = /^-[a-z]*c[a-z]*$/i

const isShellText = (words: readonly string[], index: number) =>
  TEXT_FOLLOWS.test(words[index - 1] ?? '') && words.slice(0, index).some(word => SHELL.test(word))
