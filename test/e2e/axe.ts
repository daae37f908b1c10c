import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call, claimsOf } from '../api/client.ts'
import type { App } from './app.ts'
import { barriersIn, tooWideIn } from './barriers.ts'
import { type Corner, expect } from './fixtures.ts'

/** The rules that depend on colours. */
const COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** Runs axe on the page as it is now. */
export const expectAccessible = (page: Page): Promise<void> => expectNoBarrier(page)

/**
 * Runs axe in the light theme, and once more in the dark one for rules that depend on colours; the page itself is the
 * same.
 */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoBarrier(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoBarrier(page, COLOURS)
}

/** Layout and transitions may take a moment; the settled page has no barrier. */
async function expectNoBarrier(page: Page, options = {}): Promise<void> {
  await expect.poll(() => barriersIn(page, options), { timeout: 100_000 }).toEqual([])
}

/** Files of many kinds, and a name that does not fit. */
export async function fill({ disk }: Corner): Promise<void> {
  await mkdir(join(disk, 'Documents'))
  await mkdir(join(disk, 'Bilder 😀'))
  const names = ['photo.jpg', 'song.mp3', 'film.mp4', 'paper.pdf', 'note.md', 'archive.zip', 'data', 'table.xlsx']
  for (const name of names) await writeFile(join(disk, name), Buffer.alloc(2000, 0))
  await writeFile(join(disk, `${'a very long name that does not fit '.repeat(6)}.txt`), 'x')
}

/**
 * Waits until neither the page nor a dialog in it is wider than the window; layout after a resize may take a moment.
 */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect.poll(() => tooWideIn(page)).toEqual([])
}

/** The page on a phone, where long words have the least room, and then in Arabic. */
export async function expectFineOnAPhoneAndInArabic(app: App, token: string): Promise<void> {
  const { page } = app
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await speakArabic(app, token)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
}

/** Changes the user's language, as if in another tab: open dialogs stay open. */
async function speakArabic({ page, url }: App, token: string): Promise<void> {
  const { id } = claimsOf(token).user
  const body = JSON.stringify({ what: 'user', which: ['locale'], data: { id, locale: 'ar' } })
  expect((await call({ url }, `/api/users/${id}`, { method: 'PUT', token, body })).status).toBe(200)
  const own = (await page.evaluate(() => localStorage.getItem('jwt'))) ?? ''
  const renewed = await call({ url }, '/api/renew', { method: 'POST', token: own })
  await page.evaluate(now => {
    localStorage.setItem('jwt', now)
    dispatchEvent(new StorageEvent('storage', { key: 'jwt', newValue: now }))
  }, renewed.text)
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
}
