import { renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nativePath } from './native-path.ts'
import { renameNew } from './rename.ts'

test('HIST-01 what replaces a file while it gets its new name keeps the old one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rename-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const at = (name: string) => nativePath(join(folder, name))
  writeFileSync(at('a.txt'), 'first')
  writeFileSync(at('saved'), 'second')
  await renameNew(at('a.txt'), at('b.txt'), {
    // The file has both names by then.
    get public() {
      renameSync(at('saved'), at('a.txt'))
      return true
    },
  })
  expect(await readdir(folder)).toEqual(['a.txt', 'b.txt'])
  expect([await readFile(at('a.txt'), 'utf8'), await readFile(at('b.txt'), 'utf8')]).toEqual(['second', 'first'])
})
