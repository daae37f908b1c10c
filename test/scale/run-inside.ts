import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs the program in this process's arguments, and forwards signals to it: the services started for it end after it.
 * @returns its exit code
 */
export async function runInside(env: NodeJS.ProcessEnv): Promise<number> {
  const [program = '', ...words] = process.argv.slice(2)
  const child = spawn(program, words, { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A terminal sends Ctrl+C to both.
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  const [code] = await once(child, 'close')
  return code ?? 1
}
