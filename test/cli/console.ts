import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { CHEAP, EXECUTABLE, makeHome, type OwnServer, type StartOptions, startServer } from '../wire/harness.ts'

/** How a command ended and what it said. */
export interface Ended {
  code: number | null
  out: string
  err: string
}

/** A folder with a console in it. */
export interface Console {
  home: string
  /** Runs a command to its end. */
  run(...args: string[]): Promise<Ended>
  /** Runs a command that must succeed. @returns what it printed */
  ok(...args: string[]): Promise<string>
  /** Runs a command that must fail with one sentence. @returns that sentence */
  refused(...args: string[]): Promise<string>
}

/** A console in this folder, or a fresh one; without settings of this host. */
export async function openConsole(folder?: string): Promise<Console> {
  const home = folder ?? (await makeHome())
  if (folder === undefined) onTestFinished(() => rm(home, { recursive: true, force: true }))
  const run = (...args: string[]) => runIn(home, args)
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

function runIn(cwd: string, args: readonly string[]): Promise<Ended> {
  const env = { ...CHEAP, PATH: process.env.PATH ?? '', HOME: cwd }
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

/** A server for one test; it ends with it. */
export async function serveOnce(options?: StartOptions): Promise<OwnServer> {
  const server = await startServer(options)
  onTestFinished(() => server.stop())
  return server
}
