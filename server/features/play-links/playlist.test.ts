import { expect, test } from 'vitest'
import type { FilePath } from '../../../shared/path.ts'
import type { Entry } from '../../files/types.ts'
import { playlistOf } from './playlist.ts'

const file = (name: string) => ({ name, path: `/${name}` as FilePath }) as Entry

test('a playlist names each file before its address', async () => {
  const text = await playlistOf(
    [file('1 Tide.flac'), file('2 Quay.flac')],
    async path => `http://host${encodeURI(path)}`,
  )
  expect(text).toBe(
    '#EXTM3U\n#EXTINF:-1,1 Tide.flac\nhttp://host/1%20Tide.flac\n#EXTINF:-1,2 Quay.flac\nhttp://host/2%20Quay.flac\n',
  )
})

test('a name with line ends adds no entry to a playlist', async () => {
  const name = 'a\nhttp://elsewhere/b.mp3\r\u2028#EXTINF:-1,c.mp3'
  const text = await playlistOf([file(name)], async () => 'http://host/a')
  expect(text.split(/[\n\r\u2028]/)).toEqual(['#EXTM3U', expect.stringContaining('elsewhere'), 'http://host/a', ''])
})
