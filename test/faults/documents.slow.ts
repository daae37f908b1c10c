import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { call, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { converted, officeProcesses } from '../api/papers.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

const PAGES = size('PAPER_PAGES', 1_000_000)
/** Rows of a sheet with 16,384 columns. */
const ROWS = size('PAPER_ROWS', 65_536)

const OPEN = `<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.3">`
const SCRIPT = `import sys, zipfile
kind, count, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
name = 'text' if kind == 'odt' else 'spreadsheet'
type = 'application/vnd.oasis.opendocument.' + name
with zipfile.ZipFile(file, 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.writestr('mimetype', type)
    archive.writestr('META-INF/manifest.xml', '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="%s"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>' % type)
    with archive.open('content.xml', 'w', force_zip64=True) as content:
        content.write(sys.argv[4].encode())
        if kind == 'odt':
            content.write(b'<office:automatic-styles><style:style style:name="P" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style></office:automatic-styles><office:body><office:text>')
            for page in range(count): content.write(b'<text:p text:style-name="P">page</text:p>')
            content.write(b'</office:text></office:body>')
        else:
            content.write(b'<office:body><office:spreadsheet><table:table table:name="One"><table:table-row table:number-rows-repeated="%d"><table:table-cell office:value-type="float" office:value="1" table:number-columns-repeated="16384"><text:p>1</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>' % count)
        content.write(b'</office:document-content>')`

test.each([
  ['odt', PAGES],
  ['ods', ROWS],
])(
  'PAP-02 an %s of %i pages, or rows of 16,384 cells, ends by the limits, leaves no program, and is not tried again',
  async (kind, count) => {
    const server = await serve()
    const { token } = await person(server)
    await promisify(execFile)('python3', ['-c', SCRIPT, kind, String(count), join(server.root, `huge.${kind}`), OPEN])
    const ask = () => call(server, `/api/paper/huge.${kind}`, { token })
    const began = performance.now()
    const { status } = await converted(ask)
    report(`${kind} of ${count}: ${status} after ${Math.round((performance.now() - began) / 1000)} s`)
    expect(status).toBe(422)
    await expect.poll(() => officeProcesses(server)).toEqual([])
    expect((await ask()).status).toBe(422)
    expect((await call(server, '/health', {})).status).toBe(200)
  },
  300_000,
)
