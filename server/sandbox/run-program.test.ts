import { existsSync } from 'node:fs'
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type ProgramRequest, ProgramRunner } from './run-program.ts'
import { isGone, pidIn, textIn } from './test-process.ts'

let folder: string
let programs: ProgramRunner
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'filigree-programs-')))
  programs = new ProgramRunner()
})
afterEach(async () => {
  await programs.close()
  await rm(folder, { recursive: true })
})

/** Runs a script and collects its output. */
async function run(script: string, options: Partial<ProgramRequest> = {}) {
  let text = ''
  const end = await programs.run(['sh', '-c', script], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    time: 10_000,
    output: 1_000_000,
    onOutput: (_stream, bytes) => {
      text += bytes
    },
    ...options,
  })
  return { ...end, text }
}
test('a program returns its exit code and the output of both streams, and has empty input', async () => {
  expect(await run('echo out; echo err >&2; cat; exit 3')).toMatchObject({ code: 3, cut: undefined })
  expect((await run('echo out; sleep 0.1; echo err >&2; pwd')).text).toBe(`out\nerr\n${folder}\n`)
})

test('a program has exactly the environment it is given', async () => {
  expect((await run('env', { env: { PATH: '/usr/bin:/bin', A: 'b' } })).text.split('\n').sort()).toEqual(
    expect.arrayContaining(['A=b', 'PATH=/usr/bin:/bin']),
  )
  expect((await run('env')).text).not.toContain('HOME=')
})

test.each(['no-such-program', './tool', 'tools/tool', ''])('%j is not found', async name => {
  await writeFile(join(folder, 'tool'), '#!/bin/sh\n')
  await chmod(join(folder, 'tool'), 0o700)
  const started = programs.run([name], { cwd: folder, env: {}, time: 1000, output: 10, onOutput() {} })
  await expect(started).rejects.toMatchObject({ code: 'not_found' })
})

test('a program in the working folder is not run by its name', async () => {
  await writeFile(join(folder, 'true'), '#!/bin/sh\ntouch planted\n')
  await chmod(join(folder, 'true'), 0o700)
  await programs.run(['true'], { cwd: folder, env: { PATH: '/usr/bin:/bin' }, time: 1000, output: 10, onOutput() {} })
  expect(existsSync(join(folder, 'planted'))).toBe(false)
})

describe('a program is ended', () => {
  test('CMD-08 when it exceeds its time', async () => {
    expect(await run('sleep 100', { time: 200 })).toMatchObject({ code: undefined, cut: 'time' })
  })

  test('CMD-08 when it exceeds its output limit, with exactly that much output', async () => {
    const { text, cut } = await run('yes', { output: 100_000 })
    expect(cut).toBe('output')
    expect(text).toHaveLength(100_000)
  })

  test('when it is aborted, with all its processes', async () => {
    const stop = new AbortController()
    const ended = run('sleep 100 & echo $! > child; wait', { signal: stop.signal })
    const pid = await pidIn(join(folder, 'child'))
    stop.abort()
    expect((await ended).cut).toBe('stopped')
    await isGone(pid)
  })

  test('by SIGKILL when it ignores SIGTERM', async () => {
    const stop = new AbortController()
    const ended = run(`trap '' TERM; echo $$ > child; while :; do sleep 0.1; done`, { signal: stop.signal })
    const pid = await pidIn(join(folder, 'child'))
    stop.abort()
    await ended
    await isGone(pid)
  })

  test('even if a process that has left its group holds its output open', async () => {
    const ended = run('setsid sleep 8 & echo $! > child; wait', { time: 300 })
    expect((await ended).cut).toBe('time')
    process.kill(await pidIn(join(folder, 'child')), 'SIGKILL')
  })

  test('when the consumer of its output has left', async () => {
    const { cut } = await run('yes', { onOutput: () => Promise.reject(new Error('gone')) })
    expect(cut).toBe('stopped')
  })

  test('when the server stops, and no other is started', async () => {
    const ended = run('echo $$ > child; sleep 100')
    await pidIn(join(folder, 'child'))
    await programs.close()
    expect((await ended).cut).toBe('stopped')
    await expect(run('true')).rejects.toMatchObject({ code: 'unavailable' })
  })
})

test('processes that a program leaves running end with it', async () => {
  const { code } = await run('sleep 100 & echo $! > child')
  expect(code).toBe(0)
  await isGone(await pidIn(join(folder, 'child')))
})

test('a program waits while its output is not read', async () => {
  const taken = Promise.withResolvers<void>()
  const ended = run('for i in 1 2 3 4 5 6 7 8; do head -c 100000 /dev/zero; echo $i > count; done', {
    onOutput: () => taken.promise,
  })
  await vi.waitUntil(() => textIn(join(folder, 'count')) !== '', { timeout: 300 }).catch(() => {})
  expect(Number(textIn(join(folder, 'count')))).toBeLessThan(8)
  taken.resolve()
  expect((await ended).code).toBe(0)
  expect(textIn(join(folder, 'count'))).toBe('8\n')
})
