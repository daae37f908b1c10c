import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator } from '@playwright/test'
import { linkTo } from '../api/links-client.ts'
import { expect, test } from './fixtures.ts'

const archive = (name: string) => fileURLToPath(new URL(`../fixtures/archives/${name}`, import.meta.url))

test('an archive is browsed with the keyboard, a text in it is read, and all of it is extracted next to it', async ({
  app,
  page,
  corner,
}) => {
  await copyFile(archive('tree.tar.xz'), join(corner.disk, 'trip.tar.xz'))
  const { keyboard } = page
  await app.open(`/files${corner.path}/trip.tar.xz`)
  const press = async (button: Locator) => {
    await button.focus()
    await keyboard.press('Enter')
  }
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('docs')).toBeFocused()
  await keyboard.press('Enter')
  await expect(row('naïve.txt')).toBeVisible()
  await keyboard.press('End')
  await keyboard.press('Enter')
  await expect(page.getByText('grüße')).toBeVisible()
  await press(app.button('Go up'))
  await expect(row('naïve.txt')).toBeFocused()
  await press(app.button('Go up'))
  await expect(row('docs')).toBeFocused()
  await press(app.button('Extract…'))
  await expect(app.dialog.getByLabel('Folder', { exact: true })).toHaveValue('trip')
  await press(app.dialog.getByRole('button', { name: 'Extract', exact: true }))
  await expect.poll(() => readdir(join(corner.disk, 'trip')).catch(() => [])).toEqual(['docs', 'long.txt'])
  expect(await readFile(join(corner.disk, 'trip/docs/naïve.txt'), 'utf8')).toBe('grüße\n')
})

test('a visitor with a link to an archive can browse it', async ({ page, corner, server, token }) => {
  await copyFile(archive('seven.7z'), join(corner.disk, 'trip.7z'))
  const { hash } = await linkTo(server, token, `${corner.path}/trip.7z`)
  await page.goto(`${server.url}/share/${hash}`)
  await page.getByRole('row').filter({ hasText: 'long.txt' }).dblclick()
  await expect(page.getByRole('region', { name: 'long.txt' })).toContainText('quick')
})
