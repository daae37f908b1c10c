import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

test.use({ serverArgs: [['--webhookNetworks', '127.0.0.1'], { scope: 'worker' }] })

test('an administrator adds a webhook, tests it, and sees what was sent', async ({ app, page, corner }) => {
  const types: string[] = []
  const receiver = createServer((request, response) => {
    void text(request).then(body => {
      types.push(JSON.parse(body).type)
      response.writeHead(204).end()
    })
  })
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  try {
    await app.open('/settings/webhooks')
    await expect(page.getByText('There are no webhooks.')).toBeVisible()
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Backup')
    await page.getByLabel('Address').fill('http://10.0.0.1/')
    await page.getByRole('textbox', { name: 'Folder' }).fill(corner.path)
    await page.getByRole('textbox', { name: 'File names' }).fill('ma*')
    await app.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(app.dialog.getByRole('alert')).toContainText('The server may not call this address.')
    await page.getByLabel('Address').fill(url)
    await page.getByLabel('Events', { exact: true }).selectOption('Chosen events')
    await page.getByRole('checkbox', { name: 'New folder' }).check()
    await expectAccessible(page)
    await app.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(app.dialog.getByText(/^whsec_/)).toBeVisible()
    await app.dialog.getByRole('button', { name: 'Copy secret' }).click()
    await app.dialog.getByRole('button', { name: 'Close' }).first().click()

    await page.getByRole('button', { name: 'Test' }).click()
    await expect(page.getByText(/^The receiver answered 204/)).toBeVisible()
    await app.openFolder(corner.path)
    await page.keyboard.press('Alt+n')
    await app.naming.getByRole('textbox').fill('made')
    await page.keyboard.press('Enter')
    await expect(app.row('made')).toBeVisible()
    await expect.poll(() => types).toEqual(['webhook.test', 'folder.created'])

    await app.open('/settings/webhooks')
    await page.getByRole('button', { name: 'Deliveries' }).click()
    await expect(app.dialog.getByText('folder.created', { exact: true })).toBeVisible()
    await expect(app.dialog.getByText(/^Sent/)).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete' }).click()
    await app.dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('There are no webhooks.')).toBeVisible()
  } finally {
    receiver.close()
  }
})
