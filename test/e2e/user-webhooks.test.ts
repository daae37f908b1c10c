import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { call } from '../api/client.ts'
import { expectAccessible } from './axe.ts'
import { becomeOther, expect, test } from './fixtures.ts'

test.use({ serverArgs: [['--webhookNetworks', '127.0.0.1', '--webhooks', 'users'], { scope: 'worker' }] })

test('a user adds an own webhook, which hears of the folder the user sees', async ({ app, page, server, corner }) => {
  const events: { type: string; data: { path?: string } }[] = []
  const receiver = createServer((request, response) => {
    void text(request).then(body => {
      events.push(JSON.parse(body))
      response.writeHead(204).end()
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const admin = await manager(server)
  const ann = await newcomer(server, admin, { scope: corner.path, perm: perm('create', 'download') })
  try {
    await becomeOther(page, ann.token)
    await app.open('/settings/webhooks')
    await expect(page.getByText('There are no webhooks.')).toBeVisible()
    await expect(page.getByText('changes to files that you see')).toBeVisible()
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Scans')
    await page.getByLabel('Address').fill(url)
    await page.getByLabel('Events', { exact: true }).selectOption('Chosen events')
    await expect(page.getByRole('checkbox', { name: 'New user' })).toHaveCount(0)
    await page.getByRole('checkbox', { name: 'Upload', exact: true }).check()
    await expectAccessible(page)
    await app.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(app.dialog.getByText(/^whsec_/)).toBeVisible()
    await app.dialog.getByRole('button', { name: 'Copy secret' }).click()
    await app.dialog.getByRole('button', { name: 'Close' }).first().click()
    await expect(page.getByText('Scans')).toBeVisible()
    await call(server, `/api/resources${corner.path}/scan.pdf`, { method: 'POST', token: admin.token, body: 'x' })
    await expect.poll(() => events.map(({ type, data }) => [type, data.path])).toEqual([['file.uploaded', '/scan.pdf']])
    await page.getByRole('button', { name: 'Deliveries' }).click()
    await expect(app.dialog.getByText('file.uploaded', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
  } finally {
    receiver.close()
  }
})
