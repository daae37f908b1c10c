import { expect, test } from 'vitest'
import { MAX_ENTRIES, parseM3u, pathsOf } from './m3u.ts'

test('a playlist has its entries with their titles, whatever ends its lines', () => {
  const text = '#EXTM3U\r\n#EXTINF:213,Harbour - Tide\r\ntide.mp3\r\n\r\n# a remark\rquay.mp3\n#EXTINF:-1,\nlast.mp3'
  expect(parseM3u(text)).toEqual([
    { place: 'tide.mp3', title: 'Harbour - Tide' },
    { place: 'quay.mp3', title: undefined },
    { place: 'last.mp3', title: undefined },
  ])
})

test('a playlist without an end is read to its limit', () => {
  expect(parseM3u('a.mp3\n'.repeat(5000))).toHaveLength(MAX_ENTRIES)
})

test.each([
  ['tide.mp3', ['/music/album/tide.mp3']],
  ['./live/../tide.mp3', ['/music/album/tide.mp3']],
  ['..\\other\\quay.mp3', ['/music/other/quay.mp3']],
  ['/films/a.mp3', ['/films/a.mp3']],
  ['C:\\Music\\a.mp3', ['/Music/a.mp3']],
  ['100%25.mp3', ['/music/album/100%25.mp3', '/music/album/100%.mp3']],
  ['100%.mp3', ['/music/album/100%.mp3']],
  ['../../../out.mp3', []],
  ['..%2f..%2f..%2fout.mp3', ['/music/album/..%2f..%2f..%2fout.mp3']],
  ['http://radio.example/stream', []],
  ['file:///etc/passwd', []],
  ['javascript:alert(1)', []],
])('%s of a playlist means %j', (place, paths) => expect(pathsOf(place, '/music/album')).toEqual(paths))
