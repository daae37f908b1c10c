import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '../api/client.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

const OLD = new Date('2020-01-01T00:00:00Z')

test('administrators settle what is wrong with a file, and remove its duplicates', async ({
  app,
  page,
  corner,
  token,
}) => {
  const write = async (name: string, content: string) => {
    await writeFile(join(corner.disk, name), content)
    await utimes(join(corner.disk, name), OLD, OLD)
  }
  const read = () => call(app, `/api/resources${corner.path}/changed-photo.raw?checksum=sha256`, { token })
  await write('changed-photo.raw', 'one content')
  await read()
  await write('changed-photo.raw', 'two content')
  await read()
  await mkdir(join(corner.disk, 'deep'))
  for (const name of ['first.bin', 'deep/second.bin']) await write(name, 'many bytes '.repeat(200_000))

  await app.open('/settings/integrity')
  await expect(page.getByRole('heading', { name: 'Integrity' })).toBeFocused()
  await expect(page.getByText('Files are not checked at night')).toBeVisible()
  const finding = page.getByRole('listitem').filter({ hasText: 'changed-photo.raw' })
  await expect(finding).toContainText('Changed, with its old time.')
  await page.getByRole('textbox', { name: 'Folder' }).fill(corner.path)
  await page.getByRole('button', { name: 'Find duplicates' }).click()
  const group = page.getByRole('listitem').filter({ hasText: 'second.bin' }).first()
  await expect(group).toContainText('to gain')
  await page.getByLabel('Keep').selectOption({ label: 'the shortest path' })
  await expect(page.getByRole('listitem').filter({ hasText: 'stays' }).last()).toContainText('first.bin')
  await expectAccessibleInBoth(page)

  await page.getByRole('button', { name: 'Apply to the others (1)' }).click()
  await expect(page.getByText('Done: 1')).toBeVisible()
  expect(await readdir(join(corner.disk, 'deep'))).toEqual([])
  await finding.getByRole('button', { name: 'Accept this content' }).click()
  await expect(finding).toContainText('Accepted')
  await expect(finding.getByRole('button')).toHaveCount(0)
  await expectFineOnAPhoneAndInArabic(app, token)
})
