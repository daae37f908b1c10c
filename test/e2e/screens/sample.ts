import { execFile } from 'node:child_process'
import { copyFile, mkdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Light, landscape } from './scenery.ts'

/** The fixed time of all pictures. */
export const NOW = new Date('2026-10-15T10:24:00+02:00')

const KIB = 1024
const MIB = 1024 * KIB

/** A document of the test corpus, or a tar archive. */
type Made = { like: string } | { packs: readonly string[] }
/** Days before `NOW` and, for a file, its size in bytes, its text, the light and seed of a landscape, or its source. */
type Entry = readonly [days: number, content?: number | string | readonly [Light, number] | Made]

const DOCUMENTS = join(import.meta.dirname, '../../corpus/documents')

const NOTES = `# Boat house

The roof is done. What is left before winter:

- [x] slates on the lee side
- [x] gutter, with the copper left over from the shed
- [ ] door: plane it, it sticks when it rains
- [ ] oil for the winch

Jonas brings the trailer on Saturday at nine. If the wind is above five,
we wait a week; the mast is not worth a broken window.

## Costs so far

| what    |    € |
| ------- | ---: |
| slates  |  840 |
| timber  |  312 |
| screws  |   41 |
`

const SCRIPT = `#!/bin/sh
# Copies the photos of the day to the archive, and says how many.
set -eu

from="$1"
to="$HOME/Archive/$(date +%Y/%m)"
mkdir -p "$to"

count=0
for file in "$from"/*.jpg; do
  [ -e "$file" ] || continue
  cp -n "$file" "$to/"
  count=$((count + 1))
done
echo "$count copied to $to"
`

/** A minimal PDF page without a cross-reference table; viewers rebuild it. */
const REPORT = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
4 0 obj << /Length 208 >> stream
BT /F1 30 Tf 64 740 Td (Annual report 2025) Tj
/F1 13 Tf 0 -44 Td 20 TL (The boat house has a roof again, and the quay its lamps.) Tj
T* (Forty-one members gave three hundred hours of their time.) Tj ET
endstream endobj
trailer << /Root 1 0 R >>
%%EOF
`

const SUBTITLES = `1
00:00:01,000 --> 00:00:04,000
The harbour, shortly after six.
`

const INVOICES = `Number,From,Date,Amount,What for
2026-08,Slate & Son,2026-08-14,840.00,"Slates, two pallets"
2026-09,Timber yard,2026-09-16,312.40,Larch boards
2026-10,Ironmonger,2026-10-02,41.15,Screws
2026-11,Paint shop,2026-10-09,96.70,Oil for the winch
`

/** The sample files, by path. */
const TREE: Readonly<Record<string, Entry>> = {
  'Archive/2019/Taxes.zip': [2500, 14 * MIB],
  'Archive/2021/Letters.zip': [1700, 3 * MIB],
  'Boat house/Plans/Elevation.pdf': [40, 900 * KIB],
  'Boat house/Notes.md': [1, NOTES],
  'Contracts/Boat house/Notes.md': [246, NOTES],
  'Contracts/Annual report 2025.pdf': [246, 1.8 * MIB],
  'Contracts/Insurance.pdf': [320, 412 * KIB],
  'Contracts/Lease 2024.pdf': [500, 1.1 * MIB],
  'Invoices/2026-08 Slates.pdf': [60, 88 * KIB],
  'Invoices/2026-09 Timber.pdf': [28, 96 * KIB],
  'Invoices/All.csv': [28, INVOICES],
  'Music/Choir/Rehearsal.mp3': [90, 38 * MIB],
  'Recipes/Plum cake.md': [45, '# Plum cake\n'],
  'Annual report 2025.pdf': [198, 2.4 * MIB],
  'Budget 2026.xlsx': [3, 48_213],
  'Coast walk.srt': [12, SUBTITLES],
  'Harbour at dawn.jpg': [6, ['dawn', 7]],
  'Interview with Grandma Tilly, part two, the years in the lighthouse (unedited).wav': [71, 96 * MIB],
  'Letter to the council.docx': [15, 26_880],
  'Minutes of the meeting.md': [2, NOTES],
  'copy-photos.sh': [33, SCRIPT],
  'site-backup.tar.gz': [1, 1.9 * 1024 * MIB],
  'Site plan.dwg': [140, 5.2 * MIB],
  'Coast walk/01 Setting out.jpg': [12, ['dawn', 1]],
  'Coast walk/02 Above the bay.jpg': [12, ['noon', 2]],
  'Coast walk/03 Lighthouse path.jpg': [12, ['sea', 3]],
  'Coast walk/04 Heather.jpg': [12, ['autumn', 4]],
  'Coast walk/05 The long beach.jpg': [12, ['sea', 5]],
  'Coast walk/06 Rain coming.jpg': [12, ['autumn', 6]],
  'Coast walk/07 Shelter.jpg': [12, ['noon', 8]],
  'Coast walk/08 Clearing up.jpg': [12, ['noon', 9]],
  'Coast walk/09 The old quay.jpg': [12, ['dusk', 10]],
  'Coast walk/10 Last light.jpg': [12, ['dusk', 11]],
  'Coast walk/11 First stars.jpg': [12, ['night', 12]],
  'Coast walk/12 Moonrise.jpg': [12, ['night', 13]],
  'Coast walk/Route.gpx': [12, 61_440],
  'Coast walk/Diary.md': [11, NOTES],
  'Coast walk/Sketches/Bay.jpg': [11, ['sea', 14]],
  'Archive/2021/Catch.xlsx': [1700, { like: 'catch.xlsx' }],
  'Archive/2021/Harbour book.epub': [1700, { like: 'book.epub' }],
  'Archive/2021/Letter.docx': [1700, { like: 'letter.docx' }],
  'Archive/2021/Handbook.pdf': [1700, { like: 'handbook.pdf' }],
  'Archive/2021/Old site.tar.gz': [1700, { packs: ['Boat house', 'Coast walk', 'Recipes', 'copy-photos.sh'] }],
}

/** Makes the sample files below a folder, with fixed dates. */
export async function makeSample(root: string): Promise<void> {
  for (const [path, [, content]] of Object.entries(TREE)) await makeFile(root, path, content)
  await mkdir(join(root, 'Workshop'))
  await dateSample(root)
}

/** Resets the modification times. */
export async function dateSample(root: string): Promise<void> {
  for (const [path, [days]] of Object.entries(TREE)) await date(join(root, path), days)
  const folders = new Set(Object.keys(TREE).flatMap(foldersOf))
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) await date(join(root, folder), newest(folder))
  await date(join(root, 'Workshop'), 4)
}

async function makeFile(root: string, name: string, content: Entry[1]): Promise<void> {
  const path = join(root, name)
  await mkdir(dirname(path), { recursive: true })
  if (typeof content === 'string') return writeFile(path, content)
  if (typeof content === 'object') return makeContent(root, path, content)
  if (name === 'Annual report 2025.pdf')
    return writeFile(path, REPORT.replace('trailer', `${'% 2025\n'.repeat(350_000)}trailer`))
  await writeFile(path, path.endsWith('.wav') ? silence(Math.round(content ?? 0)) : '')
  await truncate(path, Math.round(content ?? 0))
}

async function makeContent(root: string, path: string, content: Made | readonly [Light, number]): Promise<void> {
  if ('like' in content) return copyFile(join(DOCUMENTS, content.like), path)
  if ('packs' in content) await promisify(execFile)('tar', ['-czf', path, '-C', root, ...content.packs])
  else await writeFile(path, await landscape(...content))
}

function date(path: string, days: number): Promise<void> {
  const time = new Date(NOW.getTime() - days * 86_400_000 - 3_600_000 * 3)
  return utimes(path, time, time)
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function newest(folder: string): number {
  const inside = Object.entries(TREE).filter(([path]) => path.startsWith(`${folder}/`))
  return Math.min(...inside.map(([, [days]]) => days))
}

/** The header of a WAV file of so many bytes; the zeros that follow are silence. */
function silence(size: number): Buffer {
  const rate = 44_100
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(size - 8, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(size - 44, 40)
  return head
}
