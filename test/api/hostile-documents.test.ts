import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { call, encode, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { converted, officeProcesses, textOf, zipTo } from './papers.ts'

const server = await openInstance()
const { token } = await person(server)
const { path: folder, disk } = await corner(server)

const paper = (name: string) =>
  converted(() => call(server, `/api/paper${encode(`${folder}/${name}`)}?inline=true`, { token }))

let calls = 0
const listener = createServer((_request, response) => {
  calls += 1
  response.end('words of the network')
}).listen(0, '127.0.0.1')
await once(listener, 'listening')
afterAll(() => listener.close())
const HTTP = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`

const MARK = join(tmpdir(), `filigree-hostile-${process.pid}`)
const COMMAND = `touch ${MARK}`
await writeFile(join(disk, 'beside.csv'), 'words of another file,2\n')
await writeFile(join(disk, 'beside.txt'), 'words of another file')
const [CSV, TEXT] = ['beside.csv', 'beside.txt'].map(name => `file://${join(disk, name)}`)
const UNC = '\\\\127.0.0.1\\share\\beside.txt'

const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const relationships = (...links: (readonly [type: string, target: string, outside?: true])[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${links
    .map(([type, target, outside], index) => {
      const mode = outside ? ' TargetMode="External"' : ''
      return `<Relationship Id="r${index}" Type="${REL}/${type}" Target="${target}"${mode}/>`
    })
    .join('')}</Relationships>`
const contentTypes = (...parts: (readonly [part: string, type: string])[]) =>
  `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${parts
    .map(
      ([part, type]) =>
        `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
    )
    .join('')}</Types>`

/** A text with fields that ask programs and read other files, a linked object, a linked picture and a far template. */
const field = (code: string) =>
  `<w:p><w:fldSimple w:instr=" ${code.replaceAll('"', '&quot;')} "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>`
const docx = () => ({
  '[Content_Types].xml': contentTypes(['/word/document.xml', 'wordprocessingml.document.main']),
  '_rels/.rels': relationships(['officeDocument', 'word/document.xml']),
  'word/_rels/document.xml.rels': relationships(
    ['image', `${HTTP}/picture.png`, true],
    ['oleObject', TEXT ?? '', true],
    ['attachedTemplate', `${HTTP}/template.dotm`, true],
    ['image', TEXT ?? '', true],
  ),
  'word/document.xml': `<w:document xmlns:w="${W}" xmlns:r="${REL}" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml"><w:body>
<w:p><w:r><w:t>Harmless</w:t></w:r></w:p>
${[
  `DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k ${COMMAND}"`,
  `DDEAUTO soffice ${join(disk, 'beside.txt')} "words"`,
  `DDE sh "-c" "${COMMAND}"`,
  `INCLUDEPICTURE "${HTTP}/field.png" \\d`,
  `INCLUDETEXT "${TEXT}"`,
  `INCLUDETEXT "${UNC.replaceAll('\\', '\\\\')}"`,
  'INCLUDETEXT "file:///etc/passwd"',
]
  .map(field)
  .join('\n')}
<w:p><w:r><w:object><v:shape id="s" style="width:100pt;height:100pt"><v:imagedata r:id="r0"/></v:shape><o:OLEObject Type="Link" ProgID="Word.Document.12" ShapeID="s" DrawAspect="Content" r:id="r1" UpdateMode="Always"/></w:object></w:r></w:p>
</w:body></w:document>`,
})

const S = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
/** A sheet that asks the network, a program by DDE and another workbook as it is calculated. */
const xlsx = () => {
  const formulas = [
    `WEBSERVICE("${HTTP}/cell")`,
    `WEBSERVICE("${TEXT}")`,
    `[1]!'A0'`,
    `'[2]beside'!A1`,
    `HYPERLINK("${HTTP}/link","Harmless")`,
    `CALL("libc","system","JC","${COMMAND}")`,
  ]
  const cells = formulas.map(
    (text, row) => `<row r="${row + 1}"><c r="A${row + 1}" t="str"><f>${text.replaceAll('&', '&amp;')}</f></c></row>`,
  )
  return {
    '[Content_Types].xml': contentTypes(
      ['/xl/workbook.xml', 'spreadsheetml.sheet.main'],
      ['/xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet'],
      ['/xl/externalLinks/externalLink1.xml', 'spreadsheetml.externalLink'],
      ['/xl/externalLinks/externalLink2.xml', 'spreadsheetml.externalLink'],
    ),
    '_rels/.rels': relationships(['officeDocument', 'xl/workbook.xml']),
    'xl/_rels/workbook.xml.rels': relationships(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['externalLink', 'externalLinks/externalLink1.xml'],
      ['externalLink', 'externalLinks/externalLink2.xml'],
    ),
    'xl/workbook.xml': `<workbook xmlns="${S}" xmlns:r="${REL}"><sheets><sheet name="One" sheetId="1" r:id="r0"/></sheets><externalReferences><externalReference r:id="r1"/><externalReference r:id="r2"/></externalReferences><calcPr fullCalcOnLoad="1"/></workbook>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${S}"><sheetData>${cells.join('')}</sheetData></worksheet>`,
    'xl/externalLinks/externalLink1.xml': `<externalLink xmlns="${S}"><ddeLink ddeService="cmd" ddeTopic="/c ${COMMAND}"><ddeItems><ddeItem name="A0" advise="1"/></ddeItems></ddeLink></externalLink>`,
    'xl/externalLinks/externalLink2.xml': `<externalLink xmlns="${S}" xmlns:r="${REL}"><externalBook r:id="r0"><sheetNames><sheetName val="beside"/></sheetNames></externalBook></externalLink>`,
    'xl/externalLinks/_rels/externalLink2.xml.rels': relationships(['externalLinkPath', CSV ?? '', true]),
  }
}

const NAMES = ['office', 'text', 'table', 'script', 'drawing']
  .map(name => `xmlns:${name === 'drawing' ? 'draw' : name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ')
const opened = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${NAMES} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.3">${inside}</office:document-content>`
const manifest = (type: string, ...parts: string[]) =>
  `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>${['content.xml', ...parts].map(part => `<manifest:file-entry manifest:full-path="${part}" manifest:media-type="text/xml"/>`).join('')}</manifest:manifest>`

const ods = () => {
  const type = 'application/vnd.oasis.opendocument.spreadsheet'
  const cell = (formula: string) =>
    `<table:table-row><table:table-cell table:formula="of:=${formula.replaceAll('"', '&quot;')}"/></table:table-row>`
  const formulas = [
    `WEBSERVICE("${HTTP}/cell")`,
    `WEBSERVICE("file:///etc/passwd")`,
    `DDE("soffice";"${join(disk, 'beside.csv')}";"A1")`,
    `DDE("sh";"-c ${COMMAND}";"x")`,
    `'${CSV}'#$beside.A1`,
    `'${HTTP}/book.ods'#$One.A1`,
  ]
  const linked = `<table:table table:name="Linked"><table:table-source xlink:href="${CSV}" table:filter-name="Text - txt - csv (StarCalc)" table:filter-options="44,34,76,1"/></table:table>`
  return {
    mimetype: type,
    'META-INF/manifest.xml': manifest(type),
    'content.xml': opened(
      `<office:body><office:spreadsheet><table:table table:name="One"><table:table-row><table:table-cell><text:p>Harmless</text:p></table:table-cell></table:table-row>${formulas.map(cell).join('')}</table:table>${linked}</office:spreadsheet></office:body>`,
    ),
  }
}

/** A text with a program in Python that runs when it is opened, and linked objects. */
const odt = () => {
  const type = 'application/vnd.oasis.opendocument.text'
  const listeners = ['dom:load', 'office:load-finished', 'office:print']
    .map(
      name =>
        `<script:event-listener script:language="ooo:script" script:event-name="${name}" xlink:href="vnd.sun.star.script:run.py$run?language=Python&amp;location=document" xlink:type="simple"/>`,
    )
    .join('')
  const object = (href?: string) =>
    `<text:p><draw:frame svg:width="4cm" svg:height="4cm"><draw:object xlink:href="${href}" xlink:type="simple" xlink:actuate="onLoad"/></draw:frame></text:p>`
  return {
    mimetype: type,
    'META-INF/manifest.xml': manifest(type, 'Scripts/python/run.py'),
    'Scripts/python/run.py': `import os\ndef run(*args):\n    os.system(${JSON.stringify(COMMAND)})\ng_exportedScripts = (run,)\n`,
    'content.xml': opened(
      `<office:scripts><office:event-listeners xmlns:dom="http://www.w3.org/2001/xml-events">${listeners}</office:event-listeners></office:scripts><office:body><office:text><text:p>Harmless</text:p>${[TEXT, `${HTTP}/object.odt`, 'file://127.0.0.1/share/a.odt'].map(object).join('')}<text:dde-connection-decls><text:dde-connection-decl office:name="d" office:dde-application="soffice" office:dde-topic="${join(disk, 'beside.txt')}" office:dde-item="words" office:automatic-update="true"/></text:dde-connection-decls><text:p><text:dde-connection text:connection-name="d">old</text:dde-connection></text:p></office:text></office:body>`,
    ),
  }
}

const rtf = () => `{\\rtf1\\ansi Harmless\\par
{\\field{\\*\\fldinst DDEAUTO sh "-c ${COMMAND}" }{\\fldrslt old}}\\par
{\\field{\\*\\fldinst INCLUDETEXT "${TEXT}" }{\\fldrslt old}}\\par
{\\field{\\*\\fldinst INCLUDEPICTURE "${HTTP}/field.png" \\\\d }{\\fldrslt old}}\\par
{\\*\\template ${HTTP}/template.dot}
{\\object\\objautlink\\objupdate{\\*\\objclass Word.Document.8}{\\*\\objdata 0105000001000000}{\\result old}}\\par
}`

const DOCUMENTS: Readonly<Record<string, () => string | Record<string, string>>> = {
  'letter.docx': docx,
  'sheet.xlsx': xlsx,
  'sheet.ods': ods,
  'letter.odt': odt,
  'letter.rtf': rtf,
}

test.each(Object.entries(DOCUMENTS))(
  'PAP-01 the fields, links, objects and formulas of %s reach no program, no network and no other file',
  async (name, make) => {
    const content = make()
    if (typeof content === 'string') await writeFile(join(disk, name), content)
    else await zipTo(join(disk, name), content)
    const answer = await paper(name)
    expect(answer.status).toBe(200)
    const text = await textOf(answer.bytes)
    expect(text).toContain('Harmless')
    expect(text).not.toMatch(/words of|root:/)
    expect(calls).toBe(0)
    await expect(readFile(MARK)).rejects.toThrow()
    expect(await officeProcesses(server)).toEqual([])
  },
)

test('PAP-02 entities that grow to gigabytes end by the limits, leave no program, and are not tried again', async () => {
  const type = 'application/vnd.oasis.opendocument.text'
  const entities = Array.from({ length: 12 }, (_, at) =>
    at === 0 ? '<!ENTITY e0 "0123456789">' : `<!ENTITY e${at} "${`&e${at - 1};`.repeat(10)}">`,
  )
  const bomb = opened('<office:body><office:text><text:p>&e11;</text:p></office:text></office:body>').replace(
    '?>',
    `?><!DOCTYPE d [${entities.join('')}]>`,
  )
  await zipTo(join(disk, 'entities.odt'), {
    mimetype: type,
    'META-INF/manifest.xml': manifest(type),
    'content.xml': bomb,
  })
  expect((await paper('entities.odt')).status).toBe(422)
  expect(await officeProcesses(server)).toEqual([])
  const again = await call(server, `/api/paper${encode(`${folder}/entities.odt`)}`, { token })
  expect(again.status).toBe(422)
})
