import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { person } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'
import { jobsOf } from './jobs-client.ts'
import { enrol, PASSWORD } from './people.ts'

const MAKER = uniqueName('maker')
const LOOKER = uniqueName('looker')
const wire = await openInstance()
await enrol(wire, [
  { name: MAKER, may: ['download', 'create'], rules: [{ regex: true, regexp: { raw: 'hush' } }] },
  { name: LOOKER, may: ['download'] },
])
const admin = await person(wire)
const maker = await person(wire, MAKER, PASSWORD)
const looker = await person(wire, LOOKER, PASSWORD)
const { path: folder, disk } = await corner(wire)
const jobs = jobsOf(wire, admin)

const fixture = (name: string) => readFile(new URL(`../fixtures/archives/${name}`, import.meta.url))
const place = async (name: string, content?: Buffer) => {
  await writeFile(join(disk, name), content ?? (await fixture(name)))
  return name
}

type Conflict = 'replace' | 'keepBoth' | 'skip' | 'skipIdentical' | 'replaceOlder'
/** Extracts an archive into a folder. @returns the result, and the members that could not be extracted */
async function extract(name: string, to: string, conflict?: Conflict, as = jobs) {
  const items = [{ from: `${folder}/${name}`, to: `${folder}/${to}` }]
  const job = await as.run({ kind: 'extract', items, ...(conflict ? { conflict } : {}) })
  const [whole, ...refused] = job.items ?? []
  return {
    state: whole?.state,
    code: whole?.code,
    refused: Object.fromEntries(refused.map(({ member, code }) => [member, code])),
  }
}
const at = (path: string) => join(disk, path)
const content = (path: string) => readFile(at(path), 'utf8')

/** A zip or tar with exactly these names. */
function python(lines: string): Buffer {
  const script = `import io,sys,tarfile,zipfile\nout=io.BytesIO()\n${lines}\nsys.stdout.buffer.write(out.getvalue())`
  return execFileSync('python3', ['-c', script], { maxBuffer: 2 ** 28 })
}
const zipOf = (...names: string[]) =>
  python(`with zipfile.ZipFile(out,'w') as z:\n for n in ${JSON.stringify(names)}: z.writestr(n,'x')`)
/** A tar of members, each an expression for its header. */
const tarOf = (...members: string[]) =>
  python(
    `def m(n,k=tarfile.REGTYPE,l=''):\n t=tarfile.TarInfo(n); t.type=k; t.linkname=l; return t\n` +
      `with tarfile.open(mode='w',fileobj=out) as t:\n for i in [${members.join(',')}]: t.addfile(i)`,
  )

describe('an archive', () => {
  test.each(['info-zip.zip', 'pax.tar', 'tree.tar.bz2'])('%s is extracted whole, with times and modes', async name => {
    await place(name)
    expect(await extract(name, `out-${name}`)).toEqual({ state: 'done', refused: {} })
    expect(await content(`out-${name}/docs/naïve.txt`)).toBe('grüße\n')
    expect(await readdir(at(`out-${name}/docs/empty`))).toEqual([])
    const { size, mtimeMs, mode } = await stat(at(`out-${name}/long.txt`))
    expect([size, mtimeMs, mode & 0o777]).toEqual([17_459, Date.UTC(2024, 1, 29, 12, 34, 56), 0o640])
  })

  test('with some encrypted entries is extracted without those, and reports them', async () => {
    await place('aes.zip')
    expect(await extract('aes.zip', 'aes')).toEqual({ state: 'done', refused: { 'long.txt': 'encrypted' } })
    expect(await readdir(at('aes'))).toEqual([])
  })

  test('that is invalid or truncated fails as damaged and leaves no partial file', async () => {
    await place('half.tar.gz', gzipSync(await fixture('gnu.tar')).subarray(0, 1500))
    expect(await extract('half.tar.gz', 'half')).toMatchObject({ state: 'failed', code: 'undecodable' })
    expect(await readdir(at('half'))).toEqual(['docs'])
    await place('none.zip', Buffer.from('nothing'))
    expect(await extract('none.zip', 'none')).toMatchObject({ state: 'failed', code: 'undecodable' })
  })
})

describe('an existing entry', () => {
  const prepare = async (to: string) => {
    await place('info-zip.zip')
    await mkdir(at(to))
    await writeFile(at(`${to}/long.txt`), 'mine')
  }

  test.each([
    [undefined, { 'long.txt': 'exists' }, 'mine', false],
    ['skip', {}, 'mine', false],
    ['keepBoth', {}, 'mine', true],
    ['replace', {}, undefined, false],
    ['skipIdentical', {}, undefined, false],
    ['replaceOlder', {}, 'mine', false],
  ] as const)('is treated as chosen: %s', async (conflict, refused, kept, isNumbered) => {
    const to = `way-${conflict}`
    await prepare(to)
    expect(await extract('info-zip.zip', to, conflict)).toEqual({ state: 'done', refused })
    const now = await content(`${to}/long.txt`)
    expect(kept === undefined ? now.length : now).toBe(kept ?? 17_459)
    expect((await readdir(at(to))).includes('long(1).txt')).toBe(isNumbered)
    expect(await content(`${to}/docs/naïve.txt`)).toBe('grüße\n')
  })

  test('that is identical is left alone if that was chosen', async () => {
    await place('tree.tar.gz')
    await extract('tree.tar.gz', 'same')
    const before = await stat(at('same/long.txt'))
    await writeFile(at('same/docs/naïve.txt'), 'grüßt\n')
    expect(await extract('tree.tar.gz', 'same', 'skipIdentical')).toEqual({ state: 'done', refused: {} })
    expect((await stat(at('same/long.txt'))).ino).toBe(before.ino)
    expect(await content('same/docs/naïve.txt')).toBe('grüße\n')
  })
})

describe('ARCH-08 a hostile archive', () => {
  test('cannot write outside the folder', async () => {
    await place('climb.zip', zipOf('../up.txt', '/abs.txt', 'a/../../up.txt', '..\\up.txt', 'fine.txt'))
    const { state, refused } = await extract('climb.zip', 'climb')
    expect(state).toBe('done')
    expect(refused).toEqual({ '../up.txt': 'bad_path', '/abs.txt': 'bad_path', 'a/../../up.txt': 'bad_path' })
    expect((await readdir(at('climb'))).sort()).toEqual(['..\\up.txt', 'fine.txt'])
    expect(await readdir(disk)).not.toContain('up.txt')
  })

  test('creates no links or devices, and does not write through a link', async () => {
    const tar = tarOf(
      `m('door',tarfile.SYMTYPE,'..')`,
      `m('door/through.txt')`,
      `m('hard',tarfile.LNKTYPE,'/etc/passwd')`,
      `m('pipe',tarfile.FIFOTYPE)`,
      `m('disk',tarfile.BLKTYPE)`,
    )
    await place('links.tar', tar)
    const { refused } = await extract('links.tar', 'links')
    expect(refused).toEqual({
      door: 'unsupported',
      hard: 'unsupported',
      pipe: 'unsupported',
      disk: 'unsupported',
    })
    expect((await stat(at('links/door'))).isDirectory()).toBe(true)
    expect(await readdir(disk)).not.toContain('through.txt')
  })

  test('does not write through an existing link that leads out', async () => {
    await mkdir(at('planted'))
    await symlink('/tmp', at('planted/out'))
    await place('through.zip', zipOf('out/evil.txt'))
    expect(await extract('through.zip', 'planted', 'replace')).toMatchObject({
      refused: { 'out/evil.txt': 'outside_scope' },
    })
  })

  test('that expands far beyond its size is refused in advance, or where it is detected', async () => {
    const lines = `with zipfile.ZipFile(out,'w',zipfile.ZIP_DEFLATED) as z: z.writestr('big',bytes(100_000_000))`
    await place('bomb.zip', python(lines))
    expect(await extract('bomb.zip', 'bomb')).toMatchObject({ state: 'failed', code: 'body_too_large' })
    await expect(readdir(at('bomb'))).rejects.toThrow()
    const tar = python(
      `t=tarfile.open(mode='w:gz',fileobj=out);i=tarfile.TarInfo('big');i.size=100_000_000;t.addfile(i,io.BytesIO(bytes(i.size)));t.close()`,
    )
    await place('bomb.tar.gz', tar)
    expect(await extract('bomb.tar.gz', 'bombed')).toMatchObject({ state: 'failed', code: 'body_too_large' })
    await expect(readdir(at('bombed'))).rejects.toThrow()
  })

  test('with folders too deep, or two files of one name, extracts what is allowed', async () => {
    await place('deep.zip', zipOf(`${'d/'.repeat(70)}x`, 'twice.txt', 'twice.txt'))
    const { refused } = await extract('deep.zip', 'deep')
    expect(refused).toEqual({ [`${'d/'.repeat(70)}x`]: 'bad_path', 'twice.txt': 'exists' })
  })
})

describe('permissions and rules', () => {
  test('apply to the archive, the folder and every entry', async () => {
    await place('info-zip.zip')
    await place('ruled.zip', zipOf('hush.txt', 'hush/in.txt', 'fine.txt'))
    expect(await extract('ruled.zip', 'ruled', 'replace', jobsOf(wire, maker))).toEqual({
      state: 'done',
      refused: { 'hush.txt': 'forbidden', 'hush/in.txt': 'forbidden' },
    })
    expect(await readdir(at('ruled'))).toEqual(['fine.txt'])
    expect(await extract('info-zip.zip', 'looked', undefined, jobsOf(wire, looker))).toMatchObject({
      state: 'failed',
      code: 'forbidden',
    })
    expect(await extract('ruled.zip', 'ruled', 'replace', jobsOf(wire, maker))).toMatchObject({
      refused: { 'fine.txt': 'forbidden' },
    })
  })

  test('extracted files stay readable for the server, and not writable for other accounts', async () => {
    await mkdir(at('modes'))
    await writeFile(at('modes/open.sh'), 'x')
    await chmod(at('modes/open.sh'), 0o777)
    execFileSync('tar', ['-cf', at('modes.tar'), '-C', at('modes'), 'open.sh'])
    await extract('modes.tar', 'modes-out')
    expect((await stat(at('modes-out/open.sh'))).mode & 0o777).toBe(0o755)
  })
})
