import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import { CHEAP, EXECUTABLE, makeHome, type OwnServer, type StartOptions, startServer } from '../api/harness.ts'
import type { Line } from './shared-process.ts'

/** The result and output of a command. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** A folder with a console. */
export interface Console {
  home: string
  /** Runs a command to its end. */
  run(...args: string[]): Promise<Ended>
  /** Runs a command that must succeed. @returns its output */
  ok(...args: string[]): Promise<string>
  /** Runs a command that must fail with one sentence. @returns that sentence */
  refused(...args: string[]): Promise<string>
}

type Runner = (line: Line) => Promise<Ended>

/** A console in this folder, or a fresh one; without settings of this host. Each command has a process of its own. */
export async function openConsole(folder?: string, runner: Runner = inOwnProcess): Promise<Console> {
  const home = folder ?? (await makeHome())
  if (folder === undefined) onTestFinished(() => rm(home, { recursive: true, force: true }))
  const run = (...args: string[]) => runner({ cwd: home, args })
  return {
    home,
    run,
    async ok(...args) {
      const { code, out, err } = await run(...args)
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${err}`)
      return out
    },
    async refused(...args) {
      const { code, out, err } = await run(...args)
      if (code !== 1) throw new Error(`${args.join(' ')} ended with ${code}: ${out}${err}`)
      if (/^\s+at /m.test(err)) throw new Error(`${args.join(' ')} showed its stack: ${err}`)
      return err.trimEnd()
    },
  }
}

/**
 * Like `openConsole`, but the commands run one after the other in one process that ends with the file: for tests of a
 * command's effects, where nothing depends on how a process starts and ends.
 */
export function shareProcess(): (folder?: string) => Promise<Console> {
  const program = fileURLToPath(new URL('shared-process.ts', import.meta.url))
  const child = fork(program, { env: environment(), execArgv: [] })
  const gone = once(child, 'exit').then(([code]) => ({
    code,
    out: '',
    err: 'The process that commands share is gone.',
  }))
  afterAll(() => child.kill())
  const run: Runner = line => {
    child.send(line)
    return Promise.race([once(child, 'message').then(([ended]) => ended), gone])
  }
  return folder => openConsole(folder, run)
}

const environment = () => ({ ...CHEAP, PATH: process.env.PATH ?? '' })

function inOwnProcess({ cwd, args }: Line): Promise<Ended> {
  const env = { ...environment(), HOME: cwd }
  const child = spawn(process.execPath, [EXECUTABLE, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', chunk => {
    out += chunk
  })
  child.stderr.on('data', chunk => {
    err += chunk
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => resolve({ code, out, err }))
  })
}

/** A server for one test, which it ends with. */
export async function serveOnce(options?: StartOptions): Promise<OwnServer> {
  const server = await startServer(options)
  onTestFinished(() => server.stop())
  return server
}
