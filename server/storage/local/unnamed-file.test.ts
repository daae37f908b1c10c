import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { hold } from './handle.ts'
import { kernelState } from './kernel/open-kernel.ts'
import { diskPlace } from './test-place.ts'
import { linkFile, openUnnamed } from './unnamed-file.ts'

const kernel = kernelState('auto').calls

test.runIf(kernel)('a file without a name is in no folder, and gets a name that is free', async () => {
  const path = await mkdtemp(join(tmpdir(), 'unnamed-'))
  const folder = await hold('handles', path)
  onTestFinished(async () => {
    folder.close()
    await rm(path, { recursive: true })
  })
  const file = await openUnnamed({ kernel }, folder)
  if (!file) throw new Error('the disk of temporary files has no files without names')
  onTestFinished(() => file.close())
  await file.write('content')
  expect(await readdir(path)).toEqual([])
  writeFileSync(join(path, 'taken'), 'before')
  expect(() => linkFile({ kernel }, file, { folder, name: 'taken' })).toThrow(
    expect.objectContaining({ code: 'exists' }),
  )
  expect(await readdir(path)).toEqual(['taken'])
  linkFile({ kernel }, file, { folder, name: 'new.txt' })
  expect(await readFile(join(path, 'new.txt'), 'utf8')).toBe('content')
  expect(await readFile(join(path, 'taken'), 'utf8')).toBe('before')
})

test('without direct calls there is no file without a name', async () => {
  const folder = await hold('handles', tmpdir())
  onTestFinished(() => folder.close())
  expect(await openUnnamed({ kernel: undefined }, folder)).toBeUndefined()
})

/** Writes a line per event of a folder (inotify(7)): its bits, and the name. */
const WATCHER = `
import ctypes, os, struct, sys
watch = ctypes.CDLL(None).inotify_init1(0)
ctypes.CDLL(None).inotify_add_watch(watch, sys.argv[1].encode(), 0x8 | 0x80)
print('watches', flush=True)
while True:
    events = os.read(watch, 65536)
    while events:
        _, mask, _, length = struct.unpack('iIII', events[:16])
        print(mask, events[16:16 + length].rstrip(bytes(1)).decode(), flush=True)
        events = events[16 + length:]
`
const [CLOSE_WRITE, MOVED_TO] = [8, 128]
const canWatch = spawnSync('python3', ['-c', 'import ctypes; ctypes.CDLL(None).inotify_init1']).status === 0

test.runIf(canWatch).each([
  { mode: 0o640, event: CLOSE_WRITE },
  { mode: 0o440, event: MOVED_TO },
])(
  'programs that watch a folder are notified of a new file of mode $mode when it is whole',
  async ({ mode, event }) => {
    const place = await diskPlace('handles')
    const folder = join(place.folder, 'inside')
    const watcher = spawn('python3', ['-c', WATCHER, folder])
    onTestFinished(async () => {
      watcher.kill()
      await place.close()
    })
    let seen = ''
    watcher.stdout.on('data', chunk => {
      seen += chunk
    })
    await expect.poll(() => seen).toContain('watches')
    const staged = await place.store.stage(parsePath('/new.txt'))
    await staged.append(Buffer.from('content'))
    if (kernel) expect(await readdir(folder)).toEqual([])
    await staged.publish(parsePath('/new.txt'), { ifAbsent: true, mode })
    await staged.close()
    await expect.poll(() => seen.split('\n')).toContain(`${event} new.txt`)
  },
)
