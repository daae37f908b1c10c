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

/** Longer than any name. */
const LONG = 'n'.repeat(64 * 1024)
const many = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join(' ')
const inText = (...bytes: number[]) => Buffer.concat([Buffer.from('<a>'), Buffer.from(bytes), Buffer.from('</a>')])

test('a prefix has the namespace of the innermost element that binds it', () => {
  const [inner, after] = read('<p:a xmlns:p="u"><p:b xmlns:p="v" xmlns=""><p:c/></p:b><p:d/></p:a>').children
  if (typeof inner !== 'object' || typeof after !== 'object') throw new Error('no elements')
  expect([inner.namespace, inner.children, after.namespace]).toMatchObject(['v', [{ namespace: 'v' }], 'u'])
})

describe('refused is', () => {
  test.each([
    ['DAV-01 an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>', 'document type'],
    ['DAV-01 a parameter entity', '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://x/">%b;]><a/>', 'document type'],
    ['DAV-02 an entity of entities', '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>', 'document type'],
    ['DAV-02 a document type, whatever follows', '<!DOCTYPE a [<!ENTITY b "<&\'', 'document type'],
    ['DAV-02 a document type after a comment', '<!-- c --><!DOCTYPE a><a/>', 'document type'],
    ['DAV-02 a document type inside the root', '<a><!DOCTYPE b></a>', 'document type'],
    ['DAV-02 an entity without a document type', '<a>&b;</a>', 'reference'],
    ['DAV-02 such an entity in an attribute', '<a b="&c;"/>', 'reference'],
    ['DAV-02 an entity of the language of the server', '<a>&constructor;</a>', 'reference'],
    ['DAV-03 deep nesting', '<a>'.repeat(100_000), 'nested too deeply'],
    ['DAV-03 an element with many attributes', `<a ${many(10_000, i => `b${i}=""`)}/>`, 'too many attributes'],
    ['DAV-03 an element with many namespaces', `<a ${many(10_000, i => `xmlns:b${i}="u"`)}/>`, 'too many attributes'],
    ['DAV-03 a long name of an element', `<${LONG}/>`, 'name that is too long'],
    ['DAV-03 a long name of an attribute', `<a ${LONG}=""/>`, 'name that is too long'],
    ['DAV-03 a long prefix', `<a xmlns:${LONG}="u"/>`, 'name that is too long'],
    ['DAV-03 a long namespace', `<a xmlns="${LONG}"/>`, 'namespace that is too long'],
    ['DAV-05 another encoding', '<?xml version="1.0" encoding="utf-7"?><a/>', 'UTF-8'],
    ['DAV-05 UTF-16 by its name only', '<?xml version="1.0" encoding="UTF-16"?><a/>', 'UTF-8'],
    ['DAV-05 an encoding of one byte', '<?xml version="1.0" encoding="iso-8859-1"?><a/>', 'UTF-8'],
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
    ['DAV-05 UTF-16 in the other order', Buffer.from('\u{FEFF}<a/>', 'utf16le').swap16()],
    ['DAV-05 overlong UTF-8', inText(0xc0, 0xaf)],
    ['DAV-05 an overlong NUL', inText(0xc0, 0x80)],
    ['DAV-05 an overlong < of three bytes', inText(0xe0, 0x80, 0xbc)],
    ['DAV-05 half of a surrogate pair', inText(0xed, 0xa0, 0x80)],
    ['DAV-05 a code point beyond Unicode', inText(0xf4, 0x90, 0x80, 0x80)],
    ['DAV-05 a broken sequence', inText(0xe2, 0x82)],
  ])('%s', (_name, bytes) => {
    expect(refusal(bytes)).toContain('UTF-8')
  })

  test('DAV-05 UTF-16 without a mark of its order', () => {
    expect(refusal(Buffer.from('<a/>', 'utf16le'))).toContain('does not allow')
  })
})
