import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager, perm } from '../api/accounts.ts'
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
