import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { silence } from './silence.ts'

test('a playlist opens as a queue, which is repeated, shuffled, and shown', async ({ app, page, corner }) => {
  test.slow()
  for (const name of ['a.wav', 'b.wav', 'c.wav']) await writeFile(join(corner.disk, name), silence(60))
  const lines = ['#EXTM3U', '#EXTINF:60,The last', 'c.wav', './a.wav', 'http://radio.example/live', '..\\none.wav']
  await writeFile(join(corner.disk, 'list.m3u8'), lines.join('\r\n'))
  await app.openFolder(corner.path)
  await app.row('list.m3u8').dblclick()
  const main = page.locator('body > main')
  await expect(main.getByText('http://radio.example/live')).toBeVisible()
  await expect(main.getByRole('button', { name: 'The last' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await main.getByText('Play all').click()
  await page.keyboard.press('Escape')
  const card = page.getByRole('region', { name: 'Music player' })
  await expect(card.getByRole('link', { name: 'c.wav' })).toBeVisible()
  await card.getByRole('button', { name: 'Next track' }).click()
  await expect(card.getByRole('link', { name: 'a.wav' })).toBeVisible()
  await expect(card.getByRole('button', { name: 'Next track' })).toHaveAttribute('aria-disabled', 'true')

  await card.getByRole('button', { name: 'Repeat: off' }).click()
  await card.getByRole('button', { name: 'Next track' }).click()
  await expect(card.getByRole('link', { name: 'c.wav' })).toBeVisible()
  await card.getByRole('button', { name: 'Repeat: all' }).click()
  await card.getByRole('slider', { name: 'Position' }).fill('59')
  const time = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)
  await expect.poll(async () => (await time()) < 50).toBe(true)
  await expect(card.getByRole('link', { name: 'c.wav' })).toBeVisible()

  await card.getByRole('button', { name: 'Shuffle' }).click()
  await expect(card.getByRole('button', { name: 'Shuffle' })).toHaveAttribute('aria-pressed', 'true')
  await card.getByRole('button', { name: 'Queue' }).click()
  const queue = page.getByRole('dialog', { name: 'Queue' })
  await expect(queue.locator('[aria-current]')).toHaveText('c.wav')
  await expectAccessibleInBoth(page)
  await queue.getByRole('button', { name: 'a.wav' }).click()
  await expect(queue.locator('[aria-current]')).toHaveText('a.wav')
})
