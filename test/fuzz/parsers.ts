import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fixture, readAll } from '../../server/archives/read/test-archives.ts'
import { readBolt } from '../../server/cli/import-filebrowser/bolt/file.ts'
import { itemsOf, rootOf } from '../../server/cli/import-filebrowser/bolt/pages.ts'
import { boltOf } from '../../server/cli/import-filebrowser/test-bolt.ts'
import { AppError } from '../../server/errors.ts'
import { parseHookAnswer } from '../../server/features/auth/hook-answer.ts'
import { parseManifest } from '../../server/features/manifests/format.ts'
import * as bmp from '../../server/features/previews/renderers/bmp.ts'
import { boxesIn } from '../../server/features/previews/renderers/boxes.ts'
import * as camera from '../../server/features/previews/renderers/camera.ts'
import { coverOf } from '../../server/features/previews/renderers/cover.ts'
import { jpegAt } from '../../server/features/previews/renderers/jpeg.ts'
import type { Source } from '../../server/features/previews/renderers/source.ts'
import {
  asCr2,
  asCr3,
  asRaf,
  withHiddenImage,
  withSubDirectories,
} from '../../server/features/previews/test-cameras.ts'
import { BIG, sourceOf } from '../../server/features/previews/test-sources.ts'
import { parseQuery as parseSearch } from '../../server/features/search/query.ts'
import { readLifetime } from '../../server/features/shares/routes.ts'
import { toVtt } from '../../server/features/subtitles/convert.ts'
import { announcedChecksum, parseChecksum } from '../../server/features/uploads/checksum.ts'
import { kindByContent, mimeByContent } from '../../server/file-types/file-type.ts'
import { resolutionOf } from '../../server/file-types/image-size.ts'
import { deciderOf } from '../../server/files/rules.ts'
import { parseQuery, routableUrl } from '../../server/http/address.ts'
import { evaluateConditions, rangeApplies } from '../../server/responses/conditions.ts'
import { contentDisposition } from '../../server/responses/disposition.ts'
import { parseRanges } from '../../server/responses/ranges.ts'
import { splitWords } from '../../server/sandbox/shell-split.ts'
import { parseForeignNote, parseNote } from '../../server/storage/local/kept/note.ts'
import { parseList as parseVersions } from '../../server/storage/local/kept/version-list.ts'
import { MAX_EXPRESSION_BYTES } from '../../shared/api/users.ts'
import { checkName, parseEncodedPath, parsePath, ROOT } from '../../shared/path.ts'
import { plan } from '../../shared/rename.ts'
import { naturalKey } from '../../shared/sorting.ts'
import { decodeText } from '../../web/features/files/items/text-encoding.ts'
import { readPackage } from '../../web/features/preview/book/package.ts'
import { tokensOf } from '../../web/features/preview/document/xml.ts'
import { unpack } from '../../web/features/preview/document/zip.ts'
import { parseM3u, pathsOf } from '../../web/features/preview/playlist/m3u.ts'
import { cellText, parseCells } from '../../web/features/preview/table/parse.ts'
import { readWorkbook } from '../../web/features/preview/workbook/read-workbook.ts'
import { ansiReader } from '../../web/features/terminal/ansi.ts'
import { stripHtml } from '../../web/lib/strip-html.ts'

/** A parser of untrusted input. It must end soon, and may reject only with an error of its own. */
export interface Parser<Input> {
  name: string
  /** Valid inputs to start from. */
  seeds: readonly Input[]
  run(input: Input): unknown
}

/** Errors for invalid input. */
export const isRefusal = (thrown: unknown): boolean =>
  thrown instanceof AppError ||
  (thrown instanceof Error && ['PathError', 'EncodingError', 'UnreadableError'].includes(thrown.name))

const text = (name: string, run: (input: string) => unknown, ...seeds: string[]): Parser<string> => ({
  name,
  run,
  seeds,
})

const SUBTITLES = '1\n00:00:01,000 --> 00:00:02,500\n<b>Hello</b> {\\an8}there\n\n2\n00:00:03,000 --> 00:00:04,000\nx\n'
const ASS =
  '[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,{\\i1}Hello\\Nthere\n'
const CONDITION = { etag: '"a-1"', modified: 1_700_000_000_000 }
/** No longer than the wire accepts. */
const decided = (expression: string, path: string) => {
  const raw = expression.slice(0, MAX_EXPRESSION_BYTES)
  return deciderOf([[{ regex: true, allow: false, path: '', regexp: { raw } }]], true)(parsePath(path))
}

/** Parsers of text: URLs, headers, queries, rules, and file contents. */
export const TEXT_PARSERS: readonly Parser<string>[] = [
  text('path in an address', parseEncodedPath, '/a%20b/c', '/%e4%b8%ad/x/', '/..%2f', '/%c0%af'),
  text('path', parsePath, '/a/b', '/a//b', '/../x', '/a\0b'),
  text('address for the router', url => routableUrl({ url }), '/api/raw/%ff%2F?a=%zz', '/%'),
  text('query of an address', parseQuery, 'a=1&b=%20&a=2', '__proto__=1&=&&', 'a+b=%zz'),
  text('Range', header => parseRanges(header, 1000), 'bytes=0-1', 'bytes=0-0,2-3,-1', 'bytes=5-'),
  text(
    'conditions',
    header => {
      for (const name of ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since']) {
        evaluateConditions({ [name]: header }, CONDITION)
      }
      rangeApplies(header, CONDITION)
    },
    '"a-1", W/"b"',
    '*',
    'Tue, 14 Nov 2023 22:13:20 GMT',
  ),
  text('Upload-Checksum', parseChecksum, 'sha1 2jmj7l5rSw0yVb/vlWAYkK/YBwk=', 'md5 x'),
  text('Upload-Metadata', announcedChecksum, 'filename YQ==,checksum c2hhMSAyam1qN2w1clN3MHlWYi92bFdBWWtLL1lCd2s='),
  text(
    'Content-Disposition',
    name => contentDisposition('attachment', checkName(name)),
    'a.txt',
    'é"; x=\u202e',
    '\ud800',
  ),
  text('words of a search', parseSearch, 'a "b c" type:image', 'case:sensitive É', 'type: type:x "'),
  text('life of a link', count => [readLifetime(count, 'days'), readLifetime('1', count)], '1', '-1', 'hours', '1e9'),
  text('rule', raw => decided(raw, '/a/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'), '^/(a+)+$', '(?i)x|y', '[a-z]{2,9}\\.txt$'),
  text('command line', splitWords, `ls -l "a b" 'c' \\d`, '"', 'a\\'),
  text('answer of a login hook', parseHookAnswer, 'hook.action=auth\nuser.perm.admin=true', '{"action":"auth"}'),
  text(
    'M3U',
    content => parseM3u(content).flatMap(({ place }) => pathsOf(place, '/music')),
    '#EXTM3U\r\n#EXTINF:213,Harbour - Tide\r\n..\\tide.mp3\r\nC:\\a%20b.mp3\nhttp://host/a',
  ),
  text('SubRip', content => toVtt('a.srt', Buffer.from(content)), SUBTITLES),
  text('SubStation', content => toVtt('a.ass', Buffer.from(content)), ASS),
  text(
    'HTML in Markdown',
    html => stripHtml(html, new Set(['a', 'b']), new Set(['href'])),
    '<a href="x">b</a>',
    `<b '"<!--`,
  ),
  text(
    'table',
    content => {
      const cells = parseCells(content)
      return cellText(content, cells, 0, 0)
    },
    'a,"b ""c""",d\n1;2;3\n',
    'a\tb\r\n"unclosed',
  ),
  text('XML', xml => [...tokensOf(xml)].length, '<a b="c"><!-- d --><x:e/>&amp;<![CDATA[f]]></a>', '<a "<'),
  text('output of a command', ansiReader(), '\u001b[31mred\u001b[0m \u001b]0;title\u0007', '\u001b[38;5;1m\u001b['),
  text(
    'note of a deleted item',
    content => [parseNote(content, ROOT), parseForeignNote(content, ROOT, 'a.txt')],
    '[Trash Info]\nPath=docs/caf%C3%A9.txt\nDeletionDate=2026-11-28T12:00:00\nX-Filigree-Time=1\n',
    '[Trash Info]\nPath=../../etc/passwd\nPath=%00\nDeletionDate=never\n',
  ),
  text(
    'list of versions',
    content => parseVersions(content, ROOT),
    '2026-11-28T12:00:00.000Z\t01HX\t12\tdocs/a%20b.txt\tme\n',
    '\t\t-1\t%2e%2e/x\t%zz\n',
  ),
  text('SHA256SUMS', content => parseManifest(Buffer.from(content)), `${'0a'.repeat(32)}  a.txt\n`, '\\\\n *x'),
  text(
    'names of a batch rename',
    pattern => plan([pattern.slice(0, 255), 'a.txt'], [{ kind: 'template', pattern }], { items: [], now: new Date(0) }),
    '{name}-{n:3}.{ext}',
    '{now:YYYY-MM-DD} {camera}',
    '{{',
  ),
  text('order of names', naturalKey, 'file 10', '١٢ x', '0001a2'),
]

const corpus = (name: string) => readFileSync(fileURLToPath(new URL(`../corpus/${name}`, import.meta.url)))
const JPEG = corpus('sideways.jpg')
const CAMERAS = [withSubDirectories(JPEG), asCr2(JPEG), asCr3(JPEG), asRaf(JPEG), withHiddenImage(JPEG)]
const head = (bytes: Buffer) => bytes.subarray(0, 64 * 1024)

/**
 * A parser that runs in a process of its own: whatever it throws ends that process, as for an image that cannot be
 * shown.
 */
const pieces = (name: string, run: (source: Source) => Promise<unknown>, ...seeds: Buffer[]): Parser<Buffer> => ({
  name,
  seeds: seeds.map(head),
  run: bytes => run(sourceOf(bytes)).catch(() => undefined),
})

/** Parsers of bytes: image and audio containers, encoded texts, a database. */
export const BYTE_PARSERS: readonly Parser<Buffer>[] = [
  pieces('TIFF', camera.readTiff, corpus('halves.tif'), ...CAMERAS),
  pieces('boxes', source => boxesIn(source, { start: 0, end: source.length }), corpus('halves.heic'), asCr3(JPEG)),
  pieces('JPEG', source => jpegAt(source, 0, source.length), JPEG, corpus('halves.jpg')),
  pieces('raw picture', source => camera.open(source, BIG), ...CAMERAS),
  pieces('BMP', source => bmp.open(source, BIG), corpus('halves.bmp')),
  pieces('sound', coverOf, corpus('song.mp3'), corpus('song.flac'), corpus('song.m4a'), corpus('song.opus')),
  { name: 'size of a picture', run: resolutionOf, seeds: [JPEG, corpus('halves.png'), corpus('halves.gif')].map(head) },
  {
    name: 'kind by content',
    run: bytes => [kindByContent('x', bytes.length, bytes), mimeByContent(bytes)],
    seeds: [head(corpus('page.pdf')), Buffer.from('text')],
  },
  { name: 'text in some encoding', run: bytes => decodeText(bytes), seeds: [Buffer.from('\ufeffa\r\nb', 'utf16le')] },
  {
    name: 'archive',
    // Those that unpack in a worker cost more than is measured here.
    seeds: [
      'info-zip.zip',
      'streamed-zip64.zip',
      'aes.zip',
      'pax.tar',
      'gnu-long.tar',
      'sparse-gnu.tar',
      'tree.tar.gz',
    ].map(fixture),
    run: bytes => readAll(bytes),
  },
  { name: 'workbook', seeds: [corpus('documents/catch.xlsx')], run: bytes => readWorkbook(bytes) },
  { name: 'book', seeds: [corpus('documents/book.epub')], run: bytes => readPackage(unpack(bytes)) },
  {
    name: 'database of File Browser',
    seeds: [boltOf({ User: { a: { id: 1 } }, config: { settings: {} } })],
    run: withFile(path => {
      const bolt = readBolt(path)
      return itemsOf(bolt, rootOf(bolt))
    }),
  },
]

function withFile(run: (path: string) => unknown): (bytes: Buffer) => unknown {
  return bytes => {
    const folder = mkdtempSync(join(tmpdir(), 'filigree-fuzz-'))
    try {
      writeFileSync(join(folder, 'x.db'), bytes)
      return run(join(folder, 'x.db'))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}
