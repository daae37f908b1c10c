import { closeSync, constants, openSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ProgramRunner } from './run-program.ts'
import { describeSandbox, findSandbox } from './sandbox.ts'
import type { SandboxSpec } from './sandbox-spec.ts'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'filigree-sandbox-')))
afterAll(() => rm(folder, { recursive: true }))
const { PATH = '' } = process.env
const sandbox = findSandbox('bubblewrap', { PATH }, folder)

test('without bubblewrap there is no sandbox, with the reason; without the setting none is required', () => {
  const missing = findSandbox('bubblewrap', { PATH: folder }, folder)
  expect(describeSandbox(missing)).toContain('bwrap (bubblewrap) is not installed')
  expect(findSandbox('none', { PATH: folder }, folder)).toEqual({ state: 'none' })
})

test('a failing bubblewrap is no sandbox, and its output is the reason', async () => {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'bwrap'), '#!/bin/sh\necho bwrap: not here >&2\nexit 1\n', { mode: 0o755 })
  expect(findSandbox('bubblewrap', { PATH: `${bin}:${PATH}` }, folder)).toMatchObject({
    ...{ state: 'missing', reason: 'bwrap: not here' },
  })
})

describe.runIf(sandbox.state === 'bubblewrap')('a program in the sandbox', () => {
  const opened = (root: string): SandboxSpec => {
    const descriptor = openSync(root, constants.O_RDONLY)
    return { root, descriptor, writable: false, hidden: [], close: () => closeSync(descriptor) }
  }

  /** Runs a script that sees one folder only. */
  async function run(script: string, spec: SandboxSpec, time = 20_000) {
    let text = ''
    const end = await new ProgramRunner(sandbox).run(['sh', '-c', script], {
      ...{ env: { PATH }, time, output: 10_000, sandboxSpec: async () => spec },
      onOutput: (_stream, bytes) => {
        text += bytes
      },
    })
    return { ...end, text }
  }

  test('CMD-09 sees the folder that was opened, even if a link has replaced it', async () => {
    const [place, other] = [join(folder, 'place'), join(folder, 'other')]
    for (const [path, text] of [
      [place, 'opened'],
      [other, 'other'],
    ] as const) {
      await mkdir(path)
      await writeFile(join(path, 'a.txt'), text)
    }
    const spec = opened(place)
    await rename(place, join(folder, 'moved'))
    await symlink(other, place)
    expect(await run('cat a.txt', spec)).toEqual({ code: 0, cut: undefined, text: 'opened' })
  })

  test('has empty input and inherits no descriptors', async () => {
    const ended = await run('cat; readlink /proc/$$/fd/0 /proc/$$/fd/3 /proc/$$/fd/4', opened(folder))
    expect(ended).toEqual({ code: 1, cut: undefined, text: '/dev/null\n' })
  })

  test('CMD-08 that times out gets SIGTERM before SIGKILL, also in a session of its own', async () => {
    const ended = await run(`trap 'echo asked; exit 3' TERM; setsid sleep 100 & wait`, opened(folder), 500)
    expect(ended).toEqual({ code: 3, cut: 'time', text: 'asked\n' })
  })

  test.each(['/', '/proc', '/dev/shm'])('is not run where the folder would be %s', async root => {
    await expect(run('true', { ...opened(folder), root })).rejects.toMatchObject({ code: 'unsupported' })
  })
})
