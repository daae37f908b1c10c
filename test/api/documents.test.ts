import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { call, encode, person } from './client.ts'
import { corner, openInstance, serve } from './instance.ts'
import { linkTo } from './links-client.ts'
import { converted, officeProcesses, stillOffice, textOf } from './papers.ts'
import { enrol, PASSWORD } from './people.ts'

const server = await openInstance()
await enrol(server, [{ name: 'ruled', may: ['download'], rules: [{ regex: true, regexp: { raw: 'secret' } }] }])
const admin = await person(server)
const { path: folder, disk } = await corner(server)
const CORPUS = fileURLToPath(new URL('../corpus/documents/', import.meta.url))

/** A document as one file of XML. */
const flat = (body: string, scripts = '') => `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0"
 xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:ooo="http://openoffice.org/2004/office" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
${scripts}<office:body><office:text>${body}</office:text></office:body></office:document>`
const paragraph = (text: string) => `<text:p>${text}</text:p>`

const paper = (name: string, token = admin.token, headers: Record<string, string> = {}) =>
  call(server, `/api/paper${encode(`${folder}/${name}`)}?inline=true`, { token, headers })

async function put(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(disk, name), content)
  return name
}

test('a text is a PDF with its words, which ranges and conditions apply to', async () => {
  await put('letter.fodt', flat(paragraph('Dear reader of pages')))
  const answer = await converted(() => paper('letter.fodt'))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain('letter.pdf')
  expect(await textOf(answer.bytes)).toContain('Dear reader of pages')
  const part = await paper('letter.fodt', admin.token, { Range: 'bytes=0-4' })
  expect([part.status, part.text]).toEqual([206, '%PDF-'])
  const again = await paper('letter.fodt', admin.token, { 'If-None-Match': answer.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
})

test.each(['letter.odt', 'deck.odp', 'letter.doc', 'letter.docx', 'catch.xlsx'])('%s is converted', async name => {
  await put(name, await readFile(join(CORPUS, name)))
  const answer = await converted(() => paper(name))
  expect(answer.status).toBe(200)
  if (!name.endsWith('x')) expect(await textOf(answer.bytes)).toContain('One source, many formats')
})

test('a changed document has another PDF', async () => {
  await put('letter.fodt', flat(paragraph('Second thoughts')))
  const answer = await converted(() => paper('letter.fodt'))
  expect(await textOf(answer.bytes)).toContain('Second thoughts')
})

test('other files, folders and missing files have none', async () => {
  await put('plain.txt', 'text')
  await mkdir(join(disk, 'sub.odt'))
  const statuses = await Promise.all(
    ['plain.txt', 'sub.odt', 'missing.odt'].map(async name => (await paper(name)).status),
  )
  expect(statuses).toEqual([415, 409, 404])
})

test('a file that is no document is 422, and is not tried again', async () => {
  await put('broken.odt', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(2000, 7)]))
  expect((await converted(() => paper('broken.odt'))).status).toBe(422)
  // While a document is converted, the answer is another.
  expect((await paper('broken.odt')).status).toBe(422)
})

test('a document above the limit is 413', async () => {
  await put('large.odt', '')
  await truncate(join(disk, 'large.odt'), 64 * 1024 * 1024 + 1)
  expect((await converted(() => paper('large.odt'))).status).toBe(413)
})

test('PAP-01 macros do not run, and nothing that a document refers to is read or called', async () => {
  let calls = 0
  const listener = createServer((_request, response) => {
    calls++
    response.end()
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const mark = join(tmpdir(), `filigree-macro-${process.pid}`)
  const secret = await put('beside.txt', 'words of another file')
  const frame = (href: string) =>
    paragraph(
      `<draw:frame svg:width="4cm" svg:height="4cm"><draw:image xlink:href="${href}" xlink:actuate="onLoad"/></draw:frame>`,
    )
  const section = (href: string) =>
    `<text:section text:name="${href}"><text:section-source xlink:href="${href}"/><text:p>Section</text:p></text:section>`
  const hrefs = [`file://${join(disk, secret)}`, 'file:///etc/passwd', `http://127.0.0.1:${port}/picture.png`]
  const macro = `<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries>
    <ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="M"><ooo:source-code>Sub Run
    Shell("/bin/sh", 0, "-c 'touch ${mark}'")
    End Sub</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script>
    <office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load"
    xlink:href="vnd.sun.star.script:Standard.M.Run?language=Basic&amp;location=document"/></office:event-listeners></office:scripts>`
  await put(
    'hostile.fodt',
    flat(`${paragraph('Harmless')}${hrefs.map(href => frame(href) + section(href)).join('')}`, macro),
  )
  const answer = await converted(() => paper('hostile.fodt'))
  listener.close()
  expect(answer.status).toBe(200)
  const text = await textOf(answer.bytes)
  expect(text).toContain('Harmless')
  expect(text).not.toMatch(/words of another file|root:/)
  expect(calls).toBe(0)
  await expect(readFile(mark)).rejects.toThrow()
})

test('PAP-02 a document that unpacks to a gigabyte ends by the limits, and leaves no program', async () => {
  const script = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as odt:
    odt.writestr('mimetype', 'application/vnd.oasis.opendocument.text', zipfile.ZIP_STORED)
    with odt.open('content.xml', 'w', force_zip64=True) as content:
        for _ in range(1024): content.write(b'<text:p>' * 131072)`
  await promisify(execFile)('python3', ['-c', script, join(disk, 'bomb.odt')])
  expect((await converted(() => paper('bomb.odt'))).status).toBe(422)
  expect(await officeProcesses(server)).toEqual([])
})

test('PAP-03 the name of a document never reaches the program', async () => {
  const name = '--convert-to -env:a=b a\nb $(touch x) \'".fodt'
  await put(name, flat(paragraph('Named oddly')))
  const answer = await converted(() => paper(name))
  expect(answer.status).toBe(200)
  expect(await textOf(answer.bytes)).toContain('Named oddly')
})

describe('PAP-04 rights', () => {
  test('a rule that denies a document denies its pages, also when they are in the cache', async () => {
    await put('secret.fodt', flat(paragraph('For administrators')))
    expect((await converted(() => paper('secret.fodt'))).status).toBe(200)
    const ruled = await person(server, 'ruled', PASSWORD)
    expect((await paper('secret.fodt', ruled.token)).status).toBe(403)
    expect((await call(server, `/api/paper${encode(`${folder}/secret.fodt`)}`)).status).toBe(401)
  })

  test('a link shows the pages of what it shares, unless its downloads are counted or refused', async () => {
    await put('shared.fodt', flat(paragraph('For all')))
    const shown = async (hash: string, sub = '') =>
      (await converted(() => call(server, `/api/public/paper/${hash}${encode(sub)}`))).status
    const open = await linkTo(server, admin.token, `${folder}/shared.fodt`)
    expect(await shown(open.hash)).toBe(200)
    const inside = await linkTo(server, admin.token, `${folder}/`)
    expect(await shown(inside.hash, '/shared.fodt')).toBe(200)
    expect(await shown(inside.hash, '/../secret.fodt')).not.toBe(200)
    for (const terms of [{ previewOnly: true }, { maxDownloads: 3 }]) {
      const limited = await linkTo(server, admin.token, `${folder}/shared.fodt`, terms)
      expect(await shown(limited.hash)).toBe(403)
    }
    const guarded = await linkTo(server, admin.token, `${folder}/shared.fodt`, { password: 'open sesame, please' })
    expect(await shown(guarded.hash)).toBe(401)
  })
})

test('the host can switch it off, and without the programs there is none', async () => {
  for (const options of [{ args: ['--documents=off'] }, { env: { PATH: '/nowhere' } }]) {
    const other = await serve(options)
    const { token } = await person(other)
    await writeFile(join(other.root, 'letter.fodt'), flat(paragraph('Dear reader')))
    expect((await call(other, '/api/paper/letter.fodt', { token })).status).toBe(501)
  }
})

test('a killed server leaves no program and no file', async () => {
  const temporary = await mkdtemp(join(tmpdir(), 'filigree-documents-'))
  const other = await serve({ env: { TMPDIR: temporary } })
  const { token } = await person(other)
  await writeFile(join(other.root, 'letter.fodt'), flat(paragraph('Dear reader')))
  void call(other, '/api/paper/letter.fodt', { token }).catch(() => {})
  let running: number[] = []
  await expect.poll(async () => (running = await officeProcesses(other))).not.toEqual([])
  await other.end('SIGKILL')
  await expect.poll(() => stillOffice(running)).toEqual([])
  expect(await readdir(temporary)).toEqual([])
  await rm(temporary, { recursive: true })
})
