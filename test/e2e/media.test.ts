import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { melody } from './screens/made.ts'
import { silence } from './silence.ts'

test('a video resumes at the last position, with its subtitles', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'film.webm'), silence(60))
  await writeFile(join(corner.disk, 'film.en.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n')
  await app.openFolder(corner.path)
  await app.row('film.webm').dblclick()
  const player = page.locator('video')
  const time = () => player.evaluate((video: HTMLVideoElement) => video.currentTime)
  await expect(player.locator('track')).toHaveAttribute('label', 'English')
  await expect(player.locator('track')).toHaveAttribute('srclang', 'en')
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(0)
  await player.evaluate((video: HTMLVideoElement) => {
    video.currentTime = 30
  })
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('filigree.played'))).toContain('30')
  await page.keyboard.press('Escape')
  await expect(app.row('film.webm')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(time).toBe(30)

  const isMuted = () => player.evaluate((video: HTMLVideoElement) => video.muted)
  await page.keyboard.press('j')
  await expect.poll(time).toBe(20)
  await page.keyboard.press('l')
  await expect.poll(time).toBe(30)
  await page.keyboard.press('m')
  await expect.poll(isMuted).toBe(true)
  await page.keyboard.press('f')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('mute')
  await page.keyboard.press('Enter')
  await expect.poll(isMuted).toBe(false)
  await app.button('Full screen').click()
  await expect.poll(() => page.evaluate(() => document.fullscreenElement)).toBe(null)
})

test('subtitles in the language of the user are on, others are chosen, and stay off for the next video', async ({
  app,
  page,
  corner,
}) => {
  const cue = (text: string) => `1\n00:00:00,000 --> 00:00:09,000\n${text}\n`
  for (const film of ['a', 'b']) {
    await copyFile('test/corpus/film.webm', join(corner.disk, `${film}.webm`))
    await writeFile(join(corner.disk, `${film}.de.srt`), cue('Hallo'))
    await writeFile(join(corner.disk, `${film}.en.srt`), cue('Hello'))
  }
  await app.openFolder(corner.path)
  await app.row('a.webm').dblclick()
  const shown = () =>
    page
      .locator('body > main video')
      .evaluate((video: HTMLVideoElement) =>
        [...video.textTracks].filter(({ mode }) => mode === 'showing').map(({ label }) => label),
      )
  await expect.poll(shown).toEqual(['English'])
  await app.button('Subtitles: English').click()
  await app.choice('Deutsch').click()
  await expect.poll(shown).toEqual(['Deutsch'])
  await expectAccessibleInBoth(page)
  await app.button('Subtitles: Deutsch').click()
  await app.choice('Off').click()
  await expect.poll(shown).toEqual([])
  await page.keyboard.press('Escape')
  await app.row('b.webm').dblclick()
  await expect(app.button('Subtitles: Off')).toBeVisible()
  await expect.poll(shown).toEqual([])
})

test('a video is played at a chosen speed, and one in an unknown codec names the codec', async ({
  app,
  page,
  corner,
}) => {
  await copyFile('test/corpus/film.webm', join(corner.disk, 'a.webm'))
  await copyFile('test/corpus/old.mkv', join(corner.disk, 'b.mkv'))
  await app.openFolder(corner.path)
  await app.row('a.webm').dblclick()
  const player = page.locator('body > main').locator('video')
  await expect.poll(() => player.evaluate(video => video instanceof HTMLVideoElement && video.videoWidth)).toBe(320)
  await page.getByRole('button', { name: 'Speed' }).click()
  await page.getByRole('menuitemradio', { name: '2×' }).click()
  await expect.poll(() => player.evaluate(video => video instanceof HTMLVideoElement && video.playbackRate)).toBe(2)
  await page.keyboard.press('Escape')
  await app.row('b.mkv').dblclick()
  await expect(page.locator('body > main').getByText(/can't play MPEG-4 Part 2.*Download the file/)).toBeVisible({
    timeout: 20_000,
  })
})

test('an audio file is played, and an invalid one is reported', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.wav'), silence(1))
  await writeFile(join(corner.disk, 'b.mp3'), 'noise')
  await app.openFolder(corner.path)
  await app.row('a.wav').dblclick()
  await expect.poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(1)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText("Your browser can't play this file.")).toBeVisible()
})

test('the viewer of an audio file shows its title and artist', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.wav'), melody('Tide', 'Harbour', 0))
  await app.open(`/files${corner.path}/a.wav`)
  const main = page.locator('body > main')
  await expect(main.getByText('Tide', { exact: true })).toBeVisible()
  await expect(main.getByText('Harbour', { exact: true })).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('music plays outside its viewer, continues with the next track, and ends with the session', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'a.wav'), silence(40))
  await writeFile(join(corner.disk, 'b.wav'), silence(50))
  await copyFile('test/corpus/halves.png', join(corner.disk, 'c.png'))
  await app.openFolder(corner.path)
  await app.row('a.wav').dblclick()
  const player = page.locator('audio')
  const state = () => player.evaluate((audio: HTMLAudioElement) => [audio.paused, audio.duration])
  await player.evaluate((audio: HTMLAudioElement) => audio.play())
  await page.keyboard.press('Escape')
  const card = page.getByRole('region', { name: 'Music player' })
  await expect(card.getByRole('link', { name: 'a.wav' })).toBeVisible()
  await expect.poll(state).toEqual([false, 40])
  await expectAccessibleInBoth(page)

  await app.row('c.png').dblclick()
  await app.button('Pause the music').click()
  await expect.poll(state).toEqual([true, 40])
  await app.button('Resume the music').click()
  await page.keyboard.press('Escape')
  await card.getByRole('slider', { name: 'Position' }).fill('38')
  await expect(card.getByRole('link', { name: 'b.wav' })).toBeVisible()
  await expect.poll(state).toEqual([false, 50])
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('b.wav')
  await expect(card.getByRole('button', { name: 'Next track' })).toHaveAttribute('aria-disabled', 'true')

  await card.getByRole('link', { name: 'b.wav' }).click()
  await expect(page.locator('body > main').locator('audio')).toBeVisible()
  await expect.poll(state).toEqual([false, 50])
  await page.keyboard.press('Escape')
  await app.logOut()
  await expect(player).toHaveCount(0)
  await expect(card).toHaveCount(0)
})
