import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mount } from '../../shared/api/mounts.ts'
import { manager, perm, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

const home = mkdtempSync(join(tmpdir(), 'team-folders-'))
mkdirSync(join(home, 'media/team'), { recursive: true })
writeFileSync(join(home, 'media/team/plan.txt'), 'a plan')
const config = join(home, 'roots.json')
writeFileSync(config, JSON.stringify({ roots: { media: join(home, 'media'), away: join(home, 'away') } }))

test.use({ serverArgs: ['--config', config] })
test.afterAll(() => rm(home, { recursive: true, force: true }))

test('ROOT-01 a team folder is made, given with rights, renamed and removed', async ({ app, page, server, token }) => {
  const [name, other, member] = [uniqueName('Team'), uniqueName('Crew'), uniqueName('mia')]
  const boss = await manager(server)
  const user = await boss.add(member, { perm: perm('download') })
  const mounts = async (): Promise<Mount[]> => json(await send(server, 'GET', '/api/mounts', token))
  await app.open('/settings/mounts')
  await expect(page.getByText('There are no team folders yet.')).toBeVisible()
  await app.button('New team folder').click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await app.button('Create').click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Folder', { exact: true }).fill('/none')
  await page.keyboard.press('Enter')
  await expect(page.getByText('There is no such folder.')).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByLabel('Folder', { exact: true }).fill('/team')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Team folder created')).toBeVisible()

  const card = page.getByRole('region', { name })
  await expect(card).toContainText('media:/team')
  await expect(card).toContainText('No one has it yet.')
  await card.getByLabel('Add a user or group').fill(member.slice(0, -1))
  await card.getByRole('button', { name: `Add ${member}` }).press('Enter')
  await expect(card.getByRole('listitem').filter({ hasText: member })).toContainText('Download')
  await expect(card.getByLabel('Add a user or group')).toBeFocused()
  await card.getByRole('button', { name: `Permissions of ${member}` }).click()
  await card.getByLabel('Create files and folders').check()
  await expect.poll(async () => (await mounts())[0]?.access[0]?.rights).toEqual(['download', 'create'])
  await card.getByLabel('Add a user or group').fill('all users')
  await card.getByRole('button', { name: 'Add All users' }).click()
  await expect(card.getByRole('listitem').filter({ hasText: 'All users' })).toContainText('Group')
  await expectAccessibleInBoth(page)
  await card.getByRole('button', { name: 'Remove All users' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  await expect(card.getByLabel('Add a user or group')).toBeFocused()

  const quota = page.getByRole('group', { name: `Storage quota ${name}` })
  await card.getByRole('button', { name: `Storage quota ${name}` }).click()
  await quota.getByLabel('Limit').selectOption('Limited')
  await quota.getByLabel('Size').fill('8')
  await quota.getByLabel('Unit').selectOption('KiB')
  await quota.getByRole('button', { name: 'Set quota' }).click()
  await expect(card.getByRole('meter')).toHaveAttribute('aria-valuetext', /6\sB of 8/)
  expect((await mounts())[0]?.quota).toEqual({ bytes: 8192, items: null })
  const disks = page.getByRole('region', { name: 'Disks and buckets' })
  await expect(disks.getByRole('listitem').filter({ hasText: 'away' })).toContainText('Not available now')
  await disks.getByRole('button', { name: 'Storage quota media' }).click()
  await disks.getByLabel('Files and folders').selectOption('Limited')
  await disks.getByLabel('Number').fill('20')
  await page.keyboard.press('Enter')
  await expect(disks).toContainText('2 of 20 files and folders')
  await expectAccessibleInBoth(page)
  await card.getByRole('button', { name: `Rename ${name}` }).click()
  await page.getByLabel('Name', { exact: true }).fill(other)
  await page.getByLabel('Read-only for everyone').check()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Team folder changed')).toBeVisible()
  await expect(page.getByRole('region', { name: other })).toContainText('Read-only for everyone')
  expect(await mounts()).toMatchObject([{ name: other, readOnly: true }])
  await page.getByRole('button', { name: `Remove team folder ${other}` }).click()
  await expect(app.dialog).toContainText('The files stay on the disk.')
  await app.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectFineOnAPhoneAndInArabic(app, token)
  await send(server, 'DELETE', `/api/mounts/${(await mounts())[0]?.id}`, token)
  await boss.remove(user)
})

test('ROOT-07 a disk that is not there is said to be so', async ({ app, page }) => {
  await app.open('/settings/mounts')
  await app.button('New team folder').click()
  await page.getByLabel('Name', { exact: true }).fill('Away')
  await page.getByLabel('Disk or bucket').selectOption('away')
  await page.keyboard.press('Enter')
  await app.button('Create').click()
  await expect(page.getByLabel('Disk or bucket')).toHaveAttribute('aria-invalid', 'true')
})
