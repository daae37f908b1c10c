import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { HOSTILE_NAMES } from './hostile-names.ts'

/** Names in bytes, as on the disk; the wire's spellings are made here without the product's code. */
export type Name = Buffer<ArrayBuffer>

export const nameOf = (text: string): Name => Buffer.from(text)

/** Every byte percent-encoded. */
export const escaped = (name: Name): string => Array.from(name, byte => `%${hex(byte)}`).join('')

/** Encoded once more, for values that are decoded twice. */
export const escapedTwice = (name: Name): string => encodeURIComponent(escaped(name))

/** A name as JSON carries it: bytes that are not UTF-8 as lone surrogates from U+DC80 (0x80) to U+DCFF (0xFF). */
export const fromJson = (text: string): Name => Buffer.concat(Array.from(text, bytesOfChar))

function bytesOfChar(char: string): Buffer {
  return /^[\udc80-\udcff]$/u.test(char) ? Buffer.from([char.charCodeAt(0) & 0xff]) : Buffer.from(char)
}

/** The name that a `Content-Disposition` proposes, in bytes. */
export function fromDisposition(header: string | null): Name {
  const value = /filename\*=utf-8''([^;]*)/.exec(header ?? '')?.[1] ?? ''
  const bytes = value.replace(/%([0-9A-F]{2})/g, (_whole, code) => String.fromCharCode(Number.parseInt(code, 16)))
  return Buffer.from(bytes, 'latin1')
}

const hex = (byte: number) => byte.toString(16).padStart(2, '0').toUpperCase()

/** For failure messages: the names concerned. */
export const shown = (names: Iterable<Name>): string[] => Array.from(names, name => name.toString('latin1')).sort()

/** The files in a folder, by name. Folders are left out. */
export async function filesOnDisk(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory()) continue
    const path = Buffer.concat([Buffer.from(`${folder}/`), entry.name])
    files.set(entry.name.toString('latin1'), await readFile(path, 'utf8'))
  }
  return files
}

/** Reads an archive with third-party programs: its top-level entries, by name. */
export async function filesInArchive(archive: Buffer, format: 'zip' | 'tar'): Promise<Map<string, string>> {
  const home = await mkdtemp(join(tmpdir(), 'names-'))
  try {
    const file = join(home, 'archive')
    const out = join(home, 'out')
    await writeFile(file, archive)
    await mkdir(out)
    // Without these, unzip drops control characters and what looks like a version number.
    const [program, ...args] = format === 'zip' ? ['unzip', '-q', '-^', '-V', file] : ['tar', '-xf', file]
    execFileSync(program ?? '', args, { cwd: out, stdio: 'pipe', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    return await filesOnDisk(out)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** In an archive a backslash becomes `_`, and the colon of a drive before one (http-api 5). */
export const inArchive = (name: Name): Name => {
  const text = name.toString('latin1')
  const harmless = text.includes('\\') ? text.replace(/^([A-Za-z]):/, '$1_').replaceAll('\\', '_') : text
  return Buffer.from(harmless, 'latin1')
}

const isName = (name: Name) =>
  name.length > 0 && name.length <= 255 && !name.includes(0) && !name.includes('/') && !/^\.\.?$/.test(name.toString())

const bytes = fc.uint8Array({ minLength: 1, maxLength: 255 }).map(name => Buffer.from(name))
const text = (unit: fc.StringConstraints['unit'], maxLength = 60) =>
  fc.string({ unit: unit ?? 'binary', minLength: 1, maxLength }).map(nameOf)

/** Texts with a byte that belongs to no character, as other encodings leave behind. */
const torn = fc
  .tuple(fc.string({ maxLength: 20 }), fc.integer({ min: 0x80, max: 0xff }), fc.string({ maxLength: 20 }))
  .map(([before, byte, after]) => Buffer.concat([nameOf(before), Buffer.from([byte]), nameOf(after)]))

const padded = fc
  .tuple(fc.constantFrom(' ', '\n', '\t', '.', '~', '%2F', '%00', '\u00a0', '\udb40\udc20'), text('grapheme', 20))
  .chain(([pad, name]) => fc.constantFrom(Buffer.concat([nameOf(pad), name]), Buffer.concat([name, nameOf(pad)])))

const full = fc.constantFrom('x', 'é', '日', '😀').chain(char =>
  fc.integer({ min: 0, max: 3 }).map(more => {
    const width = Buffer.byteLength(char)
    const count = Math.floor(255 / width)
    return nameOf(char.repeat(count) + '.'.repeat(Math.min(more, 255 - count * width)))
  }),
)

/** All kinds of names that a disk can hold. */
export const anyName: fc.Arbitrary<Name> = fc
  .oneof(
    { weight: 2, arbitrary: bytes },
    { weight: 2, arbitrary: torn },
    { weight: 2, arbitrary: padded },
    { weight: 1, arbitrary: full },
    { weight: 2, arbitrary: text('binary') },
    { weight: 1, arbitrary: text('grapheme') },
    { weight: 2, arbitrary: fc.constantFrom(...HOSTILE_NAMES).map(nameOf) },
    { weight: 1, arbitrary: fc.constantFrom('\u00e9', 'e\u0301', '\u212b', '\u00c5', 'A\u030a').map(nameOf) },
  )
  .filter(isName)

/** Several names of one folder. */
export const someNames = fc.uniqueArray(anyName, {
  minLength: 2,
  maxLength: 8,
  selector: name => inArchive(name).toString('latin1'),
})
