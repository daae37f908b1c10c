import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hold } from './handle.ts'
import { kernelState } from './kernel/open-kernel.ts'
import { nativePath } from './native-path.ts'
import { renameFolderNew, renameNew } from './rename.ts'

test('HIST-01 what replaces a file while it gets its new name keeps the old one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rename-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const at = (name: string) => nativePath(join(folder, name))
  writeFileSync(at('a.txt'), 'first')
  writeFileSync(at('saved'), 'second')
  const held = await hold('handles', folder)
  onTestFinished(() => held.close())
  await renameNew(
    { kernel: undefined },
    { folder: held, name: 'a.txt' },
    { folder: held, name: 'b.txt' },
    {
      // The file has both names by then.
      get public() {
        renameSync(at('saved'), at('a.txt'))
        return true
      },
    },
  )
  expect(await readdir(folder)).toEqual(['a.txt', 'b.txt'])
  expect([await readFile(at('a.txt'), 'utf8'), await readFile(at('b.txt'), 'utf8')]).toEqual(['second', 'first'])
})

test.each(['auto', 'off'] as const)(
  'a new name is given to a file, a link and a folder where it is free, and to none where it is taken, with --kernel=%s',
  async choice => {
    const path = await mkdtemp(join(tmpdir(), 'rename-'))
    const folder = await hold('handles', path)
    onTestFinished(async () => {
      folder.close()
      await rm(path, { recursive: true })
    })
    const kernel = kernelState(choice).calls
    writeFileSync(join(path, 'file'), 'content')
    mkdirSync(join(path, 'folder/inner'), { recursive: true })
    symlinkSync('nowhere', join(path, 'link'))
    const rename = (from: string, to: string) =>
      (from === 'folder' ? renameFolderNew : renameNew)({ kernel }, { folder, name: from }, { folder, name: to })
    for (const name of ['file', 'link', 'folder'])
      for (const taken of ['file', 'link', 'folder'])
        await expect(rename(name, taken), `${name} to ${taken}`).rejects.toMatchObject({ code: 'exists' })
    expect((await readdir(path)).sort()).toEqual(['file', 'folder', 'link'])
    for (const name of ['file', 'link', 'folder']) await rename(name, `${name} 🌀`)
    expect((await readdir(path, { recursive: true })).sort()).toEqual([
      'file 🌀',
      'folder 🌀',
      'folder 🌀/inner',
      'link 🌀',
    ])
    await expect(renameNew({ kernel }, { folder, name: 'none' }, { folder, name: 'a' })).rejects.toMatchObject({
      code: 'not_found',
    })
  },
)
