import { execFile } from 'node:child_process'
import { copyFile, mkdir, truncate, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { melody, pdfPage, silence, zipOf } from './made.ts'
import { type Light, landscape } from './scenery.ts'

/** The fixed time of all screenshots. */
export const NOW = new Date('2026-10-15T10:24:00+02:00')

const KIB = 1024
const MIB = 1024 * KIB

/** A document of the test corpus, an archive of other files, a PDF with a text, or a melody in a key. */
type Made =
  | { like: string }
  | { packs: readonly string[] }
  | { pdf: readonly string[]; size?: number }
  | { key: number; artist: string }
/** Days before `NOW` and, for a file, its size in bytes, its text, the light and seed of a landscape, or its source. */
type Entry = readonly [days: number, content?: number | string | readonly [Light, number] | Made]

export interface SampleOptions {
  /** The present, for all times; `NOW` by default. */
  now?: Date
  /** Leaves out files whose content is not what their name says. */
  whole?: boolean
}

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

const REPORT = [
  'The boat house has a roof again, and the quay its lamps.',
  'Forty-one members gave three hundred hours of their time.',
]
const PLUM_CAKE = `# Plum cake

- 1 kg of plums, halved
- 250 g of flour, 125 g of butter, 100 g of sugar, 2 eggs
- half a cube of yeast, a cup of warm milk

Let the dough rise for an hour, press the plums in, and bake at 180 °C for forty minutes.
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

const ROUTE = `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Filigree" xmlns="http://www.topografix.com/GPX/1/1">
  <trk><name>Coast walk</name><trkseg>
${Array.from({ length: 60 }, (_, step) => `    <trkpt lat="${(54.41 + step * 0.0011).toFixed(4)}" lon="${(10.12 + Math.sin(step / 9) * 0.01).toFixed(4)}"/>`).join('\n')}
  </trkseg></trk>
</gpx>
`

/** The sample files, by path; archives come after what they contain. */
const TREE: Readonly<Record<string, Entry>> = {
  'Boat house/Plans/Elevation.pdf': [
    40,
    { pdf: ['North side, one to fifty.', 'Ridge at 6.40 m, eaves at 3.10 m.'], size: 900 * KIB },
  ],
  'Boat house/Notes.md': [1, NOTES],
  'Contracts/Boat house/Notes.md': [246, NOTES],
  'Contracts/Annual report 2025.pdf': [246, { pdf: REPORT, size: 1.8 * MIB }],
  'Contracts/Insurance.pdf': [
    320,
    { pdf: ['The boat house and what is in it,', 'against fire, storm and water.'], size: 412 * KIB },
  ],
  'Contracts/Lease 2024.pdf': [500, { pdf: ['The quay, from the town, for ten years.'], size: 1.1 * MIB }],
  'Invoices/2026-08 Slates.pdf': [60, { pdf: ['Slates, two pallets: 840.00'], size: 88 * KIB }],
  'Invoices/2026-09 Timber.pdf': [28, { pdf: ['Larch boards: 312.40'], size: 96 * KIB }],
  'Invoices/All.csv': [28, INVOICES],
  'Music/Choir/Rehearsal.mp3': [90, 38 * MIB],
  'Music/Evening bells.wav': [88, { key: -5, artist: 'The boat house choir' }],
  'Music/Harbour waltz.wav': [90, { key: 0, artist: 'The boat house choir' }],
  'Recipes/Plum cake.md': [45, PLUM_CAKE],
  'Annual report 2025.pdf': [198, { pdf: REPORT, size: 2.4 * MIB }],
  'Budget 2026.xlsx': [3, { like: 'catch.xlsx' }],
  'Coast walk.srt': [12, SUBTITLES],
  'Harbour at dawn.jpg': [6, ['dawn', 7]],
  'Interview with Grandma Tilly, part two, the years in the lighthouse (unedited).wav': [71, 96 * MIB],
  'Letter to the council.docx': [15, { like: 'letter.docx' }],
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
  'Coast walk/Route.gpx': [12, ROUTE],
  'Coast walk/Diary.md': [11, NOTES],
  'Coast walk/Sketches/Bay.jpg': [11, ['sea', 14]],
  'Archive/2021/Catch.xlsx': [1700, { like: 'catch.xlsx' }],
  'Archive/2021/Harbour book.epub': [1700, { like: 'book.epub' }],
  'Archive/2021/Letter.docx': [1700, { like: 'letter.docx' }],
  'Archive/2021/Handbook.pdf': [1700, { like: 'handbook.pdf' }],
  'Archive/2019/Taxes.zip': [2500, { packs: ['Invoices/All.csv', 'Invoices/2026-08 Slates.pdf'] }],
  'Archive/2021/Letters.zip': [1700, { packs: ['Boat house/Notes.md', 'Letter to the council.docx'] }],
  'Archive/2021/Old site.tar.gz': [1700, { packs: ['Boat house', 'Coast walk', 'Recipes', 'copy-photos.sh'] }],
}

/** Files that other screens need: their content is zeros. */
const HOLLOW = ['Music/Choir/Rehearsal.mp3', 'site-backup.tar.gz', 'Site plan.dwg']

/** Makes the sample files below a folder, with fixed dates. */
export async function makeSample(root: string, options: SampleOptions = {}): Promise<void> {
  const now = options.now ?? NOW
  for (const [path, [days, content]] of filesOf(options)) await makeFile(root, path, content, timeOf(now, days))
  await mkdir(join(root, 'Workshop'))
  await dateSample(root, options)
}

/** Resets the modification times. */
export async function dateSample(root: string, options: SampleOptions = {}): Promise<void> {
  const now = options.now ?? NOW
  const files = filesOf(options)
  for (const [path, [days]] of files) await date(join(root, path), timeOf(now, days))
  const folders = new Set(files.flatMap(([path]) => foldersOf(path)))
  for (const folder of [...folders].sort((a, b) => b.length - a.length))
    await date(join(root, folder), timeOf(now, newest(folder)))
  await date(join(root, 'Workshop'), timeOf(now, 4))
}

const filesOf = ({ whole = false }: SampleOptions) =>
  Object.entries(TREE).filter(([path]) => !(whole && HOLLOW.includes(path)))

async function makeFile(root: string, name: string, content: Entry[1], time: Date): Promise<void> {
  const path = join(root, name)
  await mkdir(dirname(path), { recursive: true })
  if (typeof content === 'string') return writeFile(path, content)
  if (typeof content === 'object') return makeContent(root, name, content, time)
  await writeFile(path, path.endsWith('.wav') ? silence(Math.round(content ?? 0)) : '')
  await truncate(path, Math.round(content ?? 0))
}

async function makeContent(root: string, name: string, content: Made | readonly [Light, number], time: Date) {
  const path = join(root, name)
  const title = basename(name, extname(name))
  if ('like' in content) await copyFile(join(DOCUMENTS, content.like), path)
  else if ('packs' in content) await pack(root, path, content.packs, time)
  else if ('pdf' in content) await writeFile(path, pdfPage(title, content.pdf, content.size))
  else if ('key' in content) await writeFile(path, melody(title, content.artist, content.key))
  else await writeFile(path, await landscape(...content, { taken: time }))
}

async function pack(root: string, path: string, names: readonly string[], time: Date): Promise<void> {
  if (path.endsWith('.zip'))
    await writeFile(
      path,
      zipOf(
        names.map(name => join(root, name)),
        time,
      ),
    )
  else await promisify(execFile)('tar', ['-czf', path, '-C', root, ...names])
}

const date = (path: string, time: Date): Promise<void> => utimes(path, time, time)

const timeOf = (now: Date, days: number): Date => new Date(now.getTime() - days * 86_400_000 - 3_600_000 * 3)

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}

function newest(folder: string): number {
  const inside = Object.entries(TREE).filter(([path]) => path.startsWith(`${folder}/`))
  return Math.min(...inside.map(([, [days]]) => days))
}
