import { expect, test } from 'vitest'
import { textOf } from '../../../../shared/bytes.ts'
import { parsePath, ROOT } from '../../../../shared/path.ts'
import { keptName } from '../../kept-name.ts'
import { formatNote, parseForeignNote, parseNote } from './note.ts'

const id = '01jd2m8w3k6p9qrs4t5v7x0yza'
const note = { id, username: 'anna', deletedAt: Date.UTC(2026, 10, 23, 9, 30) }

test('a note is a file of the Trash specification', () => {
  const lines = formatNote('docs/50 % & "more".txt', note).split('\n')
  expect(lines.slice(0, 2)).toEqual(['[Trash Info]', 'Path=docs/50%20%25%20%26%20%22more%22.txt'])
  expect(lines[2]).toMatch(/^DeletionDate=2026-11-2\dT\d\d:30:00$/)
})

test.each(['docs/a.txt', 'a\nb', '\u{1f600} é', `${textOf([0xe9])}.txt`, '%41', "it's (1)*!~"])(
  'a note keeps the path %j byte by byte',
  path => {
    const place = parsePath(`/home/${path}`)
    expect(parseNote(formatNote(path, note), parsePath('/home'))).toEqual({ ...note, place })
  },
)

test('a note of another program is read', () => {
  const text = '[Trash Info]\nPath=docs/a.txt\nDeletionDate=2026-11-23T09:30:00\nX-Other=1\n'
  const deletedAt = new Date(2026, 10, 23, 9, 30).getTime()
  expect(parseNote(text, ROOT)).toEqual({ id: '', username: '', deletedAt, place: '/docs/a.txt' })
})

test.each([
  '',
  'nothing',
  '[Trash Info]\n',
  '[Trash Info]\nPath=../../etc/passwd\nDeletionDate=2026-11-23T09:30:00\n',
  '[Trash Info]\nPath=/etc/passwd\nDeletionDate=2026-11-23T09:30:00\n',
  '[Trash Info]\nPath=a%00b\nDeletionDate=2026-11-23T09:30:00\n',
  '[Trash Info]\nPath=a\nDeletionDate=soon\n',
  '[Other]\nPath=a\nDeletionDate=2026-11-23T09:30:00\n',
])('a note that names no place and time below its home is none: %j', text => {
  expect(parseNote(text, parsePath('/home'))).toBeUndefined()
})

test.each([
  ['Path=docs/a%20b.txt\nDeletionDate=2026-11-23T09:30:00', '/home/docs/a b.txt', '2026-11-23T09:30:00'],
  ['Path=../../etc/passwd\nDeletionDate=2026-11-23T09:30:00', '/home/name', '2026-11-23T09:30:00'],
  ['Path=/etc/passwd\nDeletionDate=2026-11-23T09:30:00', '/home/name', '2026-11-23T09:30:00'],
  ['Path=docs/a.txt\nDeletionDate=soon', '/home/docs/a.txt', undefined],
  ['DeletionDate=2026-11-23T09:30:00', '/home/name', '2026-11-23T09:30:00'],
])('a note of another program names a place below its home, whatever it says: %j', (lines, place, date) => {
  const found = parseForeignNote(`[Trash Info]\n${lines}\n`, parsePath('/home'), 'name')
  const deletedAt = date === undefined ? 0 : new Date(date).getTime()
  expect(found).toEqual({ id: '', username: '', deletedAt, place })
})

test.each([
  ['a.txt', `a~${id}.txt`],
  ['.env', `.env~${id}`],
  ['README', `README~${id}`],
  [`a.${'x'.repeat(40)}`, `a.${'x'.repeat(40)}~${id}`],
  [`${'x'.repeat(251)}.txt`, `${'x'.repeat(180)}~${id}.txt`],
  [`${'é'.repeat(120)}.txt`, `${'é'.repeat(90)}~${id}.txt`],
])('%j is kept under a name that fits, and shows what it is', (name, kept) => {
  expect(keptName(name, id)).toBe(kept)
})
