import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Milliseconds between two signals. */
const PACE = 3

/** Runs `kernel-calls.ts` for some seconds, and interrupts its calls. @returns how it ended, and its number of calls */
export async function fuzzKernel(
  seed: number,
  seconds: number,
): Promise<{ code: number | null; calls: number; errors: string }> {
  const program = fileURLToPath(new URL('kernel-calls.ts', import.meta.url))
  const child = spawn(process.execPath, [program, String(seed), String(seconds)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  let signals: NodeJS.Timeout | undefined
  // It writes once it has a handler: a signal would end it before that.
  child.stdout.once('data', () => {
    signals = setInterval(() => child.kill('SIGUSR2'), PACE)
  })
  const [calls, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  clearInterval(signals)
  return { code: await ended, calls: Number(calls.split(' ').at(-1)), errors }
}
