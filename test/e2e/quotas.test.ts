import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { signIn } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { App } from './app.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect } from './fixtures.ts'
import { choose, makeFile, test } from './sending.ts'

test('a quota is set for a user, who sees what is left, and whose uploads that do not fit are refused before they are sent', async ({
  app,
  page,
  server,
  token,
  corner,
  local,
  browser,
}) => {
  const name = uniqueName('quinn')
  await mkdir(join(corner.disk, 'home'))
  await writeFile(join(corner.disk, 'home/old.bin'), Buffer.alloc(3 * 1024 * 1024))
  const boss = await manager(server)
  const all = perm('create', 'rename', 'modify', 'delete', 'download')
  const id = await boss.add(name, { scope: `${corner.path}/home`, perm: all })

  await app.open(`/settings/users/${id}`)
  const card = page.getByRole('region', { name: 'Storage quota' })
  await card.getByLabel('Limit').selectOption({ label: 'Limited' })
  await card.getByRole('button', { name: 'Set quota' }).click()
  await expect(card.getByText('Enter a number, such as 10.')).toBeVisible()
  await card.getByLabel('Unit').selectOption('MiB')
  await card.getByLabel('Size').fill('4')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The quota is set.')).toBeVisible()
  await expect(card.getByText('3 MiB of 4 MiB')).toBeVisible()
  await expectAccessibleInBoth(page)
  await card.getByLabel('Files and folders').selectOption({ label: 'Limited' })
  await card.getByRole('button', { name: 'Set quota' }).click()
  await expect(card.getByText('Enter a whole number, such as 1000.')).toBeVisible()
  await card.getByLabel('Number').fill('50')
  await page.keyboard.press('Enter')
  await expect(card.getByText('1 of 50 files and folders')).toBeVisible()
  await expectAccessibleInBoth(page)
  await app.open('/settings/users')
  await expect(page.getByRole('row').filter({ hasText: name })).toContainText('3 MiB of 4 MiB')
  await expectAccessibleInBoth(page)

  const theirs = await browser.newContext()
  const own = await theirs.newPage()
  await own.addInitScript(token => localStorage.setItem('jwt', token), await signIn(server, name, GOOD_PASSWORD))
  const ownApp = new App(own, server.url)
  await ownApp.openFolder('')
  await expect(own.getByText('3 MiB of 4 MiB')).toBeVisible()
  const sent: string[] = []
  own.on('request', request => request.method() === 'POST' && sent.push(request.url()))
  await makeFile(join(local, 'quota-big.bin'), 2 * 1024 * 1024)
  await makeFile(join(local, 'quota-small.bin'), 1000)
  await choose(ownApp, 'Files', [join(local, 'quota-big.bin'), join(local, 'quota-small.bin')])
  await expect(own.getByText("1 file doesn't fit")).toBeVisible()
  await expect(ownApp.row('quota-small.bin')).toBeVisible()
  expect(sent.filter(url => url.includes('quota-big'))).toEqual([])
  await theirs.close()

  await app.open(`/settings/users/${id}`)
  await expect(card).toBeVisible()
  await expectFineOnAPhoneAndInArabic(app, token)
})

test('at 90 % and at 100 % of the quota a user sees a notice, each once', async ({ server, corner, browser }) => {
  const name = uniqueName('nora')
  await mkdir(join(corner.disk, 'home'))
  await writeFile(join(corner.disk, 'home/old.bin'), Buffer.alloc(3 * 1024 * 1024))
  const boss = await manager(server)
  const id = await boss.add(name, { scope: `${corner.path}/home`, perm: perm('create', 'delete', 'download') })
  const session = await signIn(server, name, GOOD_PASSWORD)
  const quota = async () => (await send(server, 'GET', '/api/quota', session)).text
  const limit = async (bytes: number) => {
    await send(server, 'PUT', `/api/quotas/users/${id}`, boss.token, { bytes })
    await expect.poll(quota).toContain('"exact":true')
  }
  await limit(10 * 1024 * 1024)
  const theirs = await browser.newContext()
  const own = await theirs.newPage()
  await own.addInitScript(token => localStorage.setItem('jwt', token), session)
  const ownApp = new App(own, server.url)
  const nearly = own.getByText('Your storage is almost full: 3 MiB of 3.2 MiB.')
  const full = own.getByText('Your storage is full. Delete something, or ask an administrator for more.')
  const open = async (of: string) => {
    await ownApp.openFolder('')
    await expect(own.getByText(`3 MiB of ${of}`, { exact: true })).toBeVisible()
  }
  await open('10 MiB')
  expect(await nearly.count()).toBe(0)
  await limit(3_355_443)
  await open('3.2 MiB')
  await expect(nearly).toBeVisible()
  await expectAccessibleInBoth(own)
  await own.reload()
  await expect(own.getByText('3 MiB of 3.2 MiB', { exact: true })).toBeVisible()
  await expect(nearly).toHaveCount(0)
  await limit(3 * 1024 * 1024)
  await open('3 MiB')
  await expect(full).toBeVisible()
  await expectAccessibleInBoth(own)
  await theirs.close()
})
