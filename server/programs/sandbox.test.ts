import { closeSync, constants, openSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type ProgramRequest, Programs } from './programs.ts'
import { describeSandbox, findSandbox } from './sandbox.ts'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'filigree-sandbox-')))
afterAll(() => rm(folder, { recursive: true }))
const { PATH = '' } = process.env
const sandbox = findSandbox('bubblewrap', { PATH }, folder)

test('without bubblewrap there is no sandbox, and the sentence says why; without a wish for one there is none to miss', () => {
  const missing = findSandbox('bubblewrap', { PATH: folder }, folder)
  expect(describeSandbox(missing)).toContain('bwrap (bubblewrap) is not installed')
  expect(findSandbox('none', { PATH: folder }, folder)).toEqual({ state: 'none' })
})

test('a bubblewrap that fails is no sandbox, in its own words', async () => {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'bwrap'), '#!/bin/sh\necho bwrap: not here >&2\nexit 1\n', { mode: 0o755 })
  expect(findSandbox('bubblewrap', { PATH: `${bin}:${PATH}` }, folder)).toMatchObject({
    ...{ state: 'missing', reason: 'bwrap: not here' },
  })
})

describe.runIf(sandbox.state === 'bubblewrap')('a program in the sandbox', () => {
  /** Runs a script where it sees one folder only. */
  async function run(script: string, root: string, wishes: Partial<ProgramRequest> = {}) {
    const descriptor = openSync(root, constants.O_RDONLY)
    const enclosure = { root, descriptor, writable: false, hidden: [], close: () => closeSync(descriptor) }
    let text = ''
    const request: ProgramRequest = {
      ...{ env: { PATH }, time: 20_000, output: 10_000, enclosure },
      onOutput: (_stream, bytes) => {
        text += bytes
      },
      ...wishes,
    }
    const started = new Programs(sandbox).start(['sh', '-c', script], request)
    return { end: started.then(({ ended }) => ended).finally(enclosure.close), text: () => text }
  }

  test('CMD-09 sees the folder that was opened, even if a link has taken its place', async () => {
    const [place, other] = [join(folder, 'place'), join(folder, 'other')]
    for (const [path, text] of [
      [place, 'opened'],
      [other, 'other'],
    ] as const) {
      await mkdir(path)
      await writeFile(join(path, 'a.txt'), text)
    }
    const held = openSync(place, constants.O_RDONLY)
    await rename(place, join(folder, 'moved'))
    await symlink(other, place)
    const enclosure = { root: place, descriptor: held, writable: false, hidden: [], close: () => closeSync(held) }
    const { end, text } = await run('cat a.txt', folder, { enclosure })
    expect(await end).toMatchObject({ code: 0 })
    expect(text()).toBe('opened')
    enclosure.close()
  })

  test('CMD-08 that takes too long is asked to end before it is killed, in its own session, too', async () => {
    const { end, text } = await run(`trap 'echo asked; exit 3' TERM; setsid sleep 100 & wait`, folder, { time: 500 })
    expect(await end).toEqual({ code: 3, cut: 'time' })
    expect(text()).toBe('asked\n')
  })
})
