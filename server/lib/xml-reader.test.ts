import { describe, expect, test } from 'vitest'
import { writeElement } from '../features/dav/xml-writer.ts'
import { parseXml } from './xml-reader.ts'

const read = (text: string) => parseXml(Buffer.from(text))
const refusal = (text: string | Uint8Array) => {
  try {
    parseXml(typeof text === 'string' ? Buffer.from(text) : text)
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
  return 'accepted'
}

describe('a document', () => {
  test('is read with its namespaces, references and sections', () => {
    const root = read(
      '<?xml version="1.0" encoding="utf-8"?>\n<!-- c --><D:a xmlns:D="DAV:" xmlns="urn:x" b="1&#32;&amp;"><c D:d=\'e\'>f&lt;<![CDATA[<g>]]><?p i?>&#x68;</c></D:a>\n',
    )
    expect(root).toEqual({
      namespace: 'DAV:',
      local: 'a',
      prefix: 'D',
      attributes: [{ namespace: '', local: 'b', prefix: '', value: '1 &' }],
      children: [
        {
          namespace: 'urn:x',
          local: 'c',
          prefix: '',
          attributes: [{ namespace: 'DAV:', local: 'd', prefix: 'D', value: 'e' }],
          children: ['f<<g>h'],
        },
      ],
    })
  })

  test('comes back from the writer as it was, wherever its namespaces were declared', () => {
    const text =
      '<p:a xmlns:p="urn:p"><b c="&quot;&lt;&#10;"> <p:d xmlns:q="urn:q" q:e="é"/>&amp;<f xmlns="urn:f"><g xmlns=""/></f></b></p:a>'
    const root = read(text)
    expect(read(writeElement(root))).toEqual(root)
    const [inner] = root.children
    if (typeof inner !== 'object') throw new Error('no element')
    expect(read(writeElement(inner))).toEqual(inner)
  })
})

describe('refused is', () => {
  test.each([
    ['DAV-01 an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'document type'],
    ['DAV-01 a parameter entity', '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://x/">%b;]><a/>', 'document type'],
    ['DAV-02 an entity of entities', '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>', 'document type'],
    ['DAV-02 an entity without a document type', '<a>&b;</a>', 'reference'],
    ['DAV-03 deep nesting', '<a>'.repeat(10_000), 'nested too deeply'],
    [
      'DAV-03 an element with many attributes',
      `<a ${Array.from({ length: 1000 }, (_, i) => `b${i}=""`).join(' ')}/>`,
      'too many attributes',
    ],
    ['DAV-05 another encoding', '<?xml version="1.0" encoding="utf-7"?><a/>', 'UTF-8'],
    ['DAV-05 a prefix without a namespace', '<a xmlns:x=""/>', 'namespace'],
    ['DAV-05 NUL', '<a>\0</a>', 'does not allow'],
    ['DAV-05 NUL as a reference', '<a>&#0;</a>', 'reference'],
    ['an unknown prefix', '<x:a/>', 'namespace'],
    ['the prefix xmlns', '<a xmlns:xmlns="urn:x"/>', 'namespace'],
    ['an attribute twice', '<a b="" b=""/>', 'twice'],
    ['an attribute twice by namespaces', '<a xmlns:p="u" xmlns:q="u" p:b="" q:b=""/>', 'twice'],
    ['a wrong end', '<a><b></a></b>', 'does not end'],
    ['two roots', '<a/><b/>', 'continues'],
    ['text alone', 'a', 'no root'],
    ['nothing', '', 'no root'],
    ['< in an attribute', '<a b="<"/>', '<'],
    ['an attribute without quotes', '<a b=c/>', 'quotes'],
    ['a late declaration', ' <?xml version="1.0"?><a/>', 'instruction'],
  ])('%s', (_name, text, why) => {
    expect(refusal(text)).toContain(why)
  })

  test.each([
    ['DAV-05 UTF-16', Buffer.from('\u{FEFF}<a/>', 'utf16le')],
    ['DAV-05 overlong UTF-8', Buffer.concat([Buffer.from('<a>'), Buffer.from([0xc0, 0xaf]), Buffer.from('</a>')])],
  ])('%s', (_name, bytes) => {
    expect(refusal(bytes)).toContain('UTF-8')
  })
})
