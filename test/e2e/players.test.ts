import { execFile } from 'node:child_process'
import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

const run = promisify(execFile)

test('a video that does not play names its format, and leads to an address and playlists for other players', async ({
  app,
  page,
  corner,
}) => {
  test.slow()
  await copyFile('test/corpus/old.mkv', join(corner.disk, 'old.mkv'))
  await copyFile('test/corpus/song.mp3', join(corner.disk, 'song.mp3'))
  await app.openFolder(corner.path)
  await app.row('old.mkv').dblclick()
  const main = page.locator('body > main')
  await expect(main.getByText(/Matroska \(MKV\)\W+MPEG-4 Part 2\W+AC-3\W+VLC, mpv and Kodi play it/)).toBeVisible({
    timeout: 30_000,
  })
  await main.getByText('Open in a player').click()
  const dialog = page.getByRole('dialog', { name: 'Open in a player' })
  const address = (await dialog.locator('code').textContent()) ?? ''
  await expectAccessibleInBoth(page)
  const { stdout } = await run('curl', ['--silent', '--range', '0-3', address], { encoding: 'latin1' })
  expect(stdout).toBe('\x1aE\xdf\xa3')

  for (const [name, button, files] of [
    ['old.mkv.m3u8', 'Download playlist', ['old.mkv']],
    [`${corner.path.slice(1)}.m3u8`, 'Playlist of the folder', ['old.mkv', 'song.mp3']],
  ] as const) {
    const arrives = page.waitForEvent('download')
    await dialog.getByRole('button', { name: button }).click()
    const download = await arrives
    expect(download.suggestedFilename()).toBe(name)
    const text = await readFile(await download.path(), 'utf8')
    expect([...text.matchAll(/#EXTINF:-1,(.*)/g)].map(([, title]) => title)).toEqual(files)
  }
})
